import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Agent, fetch as fetchBy } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createGateway } from '../../src/index.ts';
import { temporaryHome } from '../cli/command-run.ts';
import { exitOf, outputOf, spawnCommand } from '../cli/spawned-command.ts';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from '../egress/certificates.ts';
import { followPage } from './follow-page.ts';
import { blocksOf, readPage } from './markdown.ts';
import { type Nginx, nginxProgram, startNginx } from './run-nginx.ts';

// whole stories of processes: how long they take is the machine's to say
vi.setConfig({ testTimeout: 120_000 });

const PAGE = 'docs/many-machines.md';
const HOST = 'tools.example.com';
const DOCUMENT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'Orders.' } } } },
  },
});

const crib = temporaryHome();
const env = { DATABASE_URL: 'sqlite:./shared.db', OPERATOR_TOKEN: 'operator-token-of-the-guide' };
let shop: Server;

beforeAll(async () => {
  shop = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"orders":[]}');
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  await writeFile(crib.path('shop.yaml'), DOCUMENT);
});
afterAll(() => shop.close());

/** The page's configuration on one machine: addresses of the loopback interface, a folder for a bucket. */
function here(text: string): string {
  const { port } = shop.address() as AddressInfo;
  return text
    .replace('host: 0.0.0.0', 'host: 127.0.0.1')
    .replace(/store: \{ s3: .* \}$/m, 'store: ./outputs')
    .replace('https://shop.example.com', `http://127.0.0.1:${port}`);
}

describe('docs/many-machines.md', () => {
  it('brings the store up, finds nothing wrong, and serves', async () => {
    const lines = await followPage(PAGE, {
      home: crib.home,
      run: crib.run,
      env,
      file: (_, text) => here(text),
    });
    expect(lines.map(({ line }) => line)).toEqual([
      'npx toolcrib store migrate',
      'npx toolcrib doctor',
      'npx toolcrib serve',
    ]);
  });
});

const program = nginxProgram();

describe.skipIf(program === undefined)('its nginx, before two gateways', () => {
  const children: ReturnType<typeof spawnCommand>[] = [];
  let nginx: Nginx;
  let agent: Agent;
  let key: string;

  beforeAll(async () => {
    const made = await crib.run(['admin', 'bootstrap', '--organisation', 'Acme', '--json'], { env });
    ({ key } = (JSON.parse(made.out) as { key: { key: string } }).key);
    const ports = [await serve(), await serve()];
    const conf = blocksOf(await readPage(PAGE)).find(({ language }) => language === 'nginx')!.text;
    nginx = await startNginx(program!, crib.path('nginx'), HOST, (at) =>
      conf
        .replace('10.0.0.11:8787', `127.0.0.1:${ports[0]}`)
        .replace('10.0.0.12:8787', `127.0.0.1:${ports[1]}`)
        .replace('443 ssl', `${at.listen} ssl`)
        .replace('/etc/ssl/tools.example.com.pem', at.certificate)
        .replace('/etc/ssl/tools.example.com.key', at.key),
    );
    agent = agentOf(nginx);
  });
  afterAll(async () => {
    await agent?.close();
    await nginx?.stop();
    for (const child of children) {
      child.kill('SIGTERM');
      await exitOf(child);
    }
  });

  async function serve(): Promise<number> {
    const child = spawnCommand(['serve', '--port', '0', '--json'], { cwd: crib.home, env });
    children.push(child);
    return Number(new URL(JSON.parse(await outputOf(child).line()).url).port);
  }

  /** As a browser or a client reaches it: by its name, over TLS. */
  const fetchHere = ((input: string | URL, init: object = {}) =>
    fetchBy(new URL(String(input)), { ...init, dispatcher: agent })) as unknown as typeof fetch;
  const address = (path: string) => new URL(path, `https://${HOST}:${nginx.port}`);
  const authorization = () => `Bearer ${key}`;

  async function connect(options: ConstructorParameters<typeof Client>[1] = {}): Promise<Client> {
    const client = new Client({ name: 'guide', version: '1' }, options);
    const requestInit = { headers: { authorization: authorization() } };
    await client.connect(
      new StreamableHTTPClientTransport(address('/mcp'), { requestInit, fetch: fetchHere }),
    );
    return client;
  }

  it.each([
    ['2025-11-25', {}],
    ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ] as const)('keeps a client of %s with its gateway', async (_revision, options) => {
    const client = await connect(options);
    for (let call = 0; call < 10; call++) {
      const result = await client.callTool({ name: 'shop_listOrders', arguments: {} });
      expect(result.structuredContent).toEqual({ orders: [] });
    }
    await client.close();
  });

  it('passes events on as they come', async () => {
    const stop = new AbortController();
    const stream = await fetchHere(address('/api/v1/events?type=call-completed'), {
      headers: { accept: 'text/event-stream', authorization: authorization() },
      signal: stop.signal,
    });
    expect(stream.status).toBe(200);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    const client = await connect();
    let read = '';
    await client.callTool({ name: 'shop_listOrders', arguments: {} });
    while (!read.includes('"call-completed"')) read += (await reader.read()).value ?? '';
    stop.abort();
    await reader.closed.catch(() => undefined);
    await client.close();
  });

  it('shows the metrics of a gateway to nobody outside, and a foreign host nothing', async () => {
    const metrics = await fetchHere(address('/metrics'), {
      headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}` },
    });
    expect(metrics.status).toBe(404);
    expect((await fetchHere(address('/readyz'))).status).toBe(200);
    expect((await fetchHere(address('/api/v1/tools'))).status).toBe(401);
  });

  it('goes on when one of them ends', async () => {
    const [first] = children;
    first!.kill('SIGTERM');
    expect(await exitOf(first!)).toBe(0);
    const client = await connect({ versionNegotiation: { mode: 'auto' } });
    const result = await client.callTool({ name: 'shop_listOrders', arguments: {} });
    expect(result.isError ?? false).toBe(false);
    await client.close();
  });
});

describe.skipIf(program === undefined)('its nginx, before a gateway that speaks https', () => {
  it.each([
    ['is let through where the certificate is right', 'api.example.com', 200],
    ['is refused where it is for another name', 'gateway.example.com', 502],
  ])('%s', async (_what, name, status) => {
    await using gateway = await secureGateway();
    const [site, location] = blocksOf(await readPage(PAGE)).filter(({ language }) => language === 'nginx');
    const folder = crib.path(`nginx-${name}`);
    await mkdir(folder);
    await writeFile(join(folder, 'authority.pem'), AUTHORITY);
    const upstream = location!.text
      .replace('/etc/ssl/company-ca.pem', join(folder, 'authority.pem'))
      .replace('gateway.example.com', name);
    const nginx = await startNginx(program!, folder, HOST, (at) =>
      site!.text
        .replace('proxy_pass http://toolcrib;', upstream)
        .replace('10.0.0.11:8787', `127.0.0.1:${gateway.port}`)
        .replace(/^.*10\.0\.0\.12.*$/m, '')
        .replace('443 ssl', `${at.listen} ssl`)
        .replace('/etc/ssl/tools.example.com.pem', at.certificate)
        .replace('/etc/ssl/tools.example.com.key', at.key),
    );
    try {
      expect(await statusOf(nginx, '/readyz')).toBe(status);
    } finally {
      await nginx.stop();
    }
  });
});

async function secureGateway() {
  const gateway = await createGateway({
    stateDirectory: crib.path('https-state'),
    store: 'none',
    sources: { gateway: { self: {} } },
    server: { port: 0, tls: { certificate: SERVER_CERTIFICATE, key: SERVER_KEY }, allowedHosts: [HOST] },
  });
  const { port } = await gateway.listen();
  return { port, [Symbol.asyncDispose]: () => gateway.close() };
}

async function statusOf(nginx: Nginx, path: string): Promise<number> {
  const agent = agentOf(nginx);
  try {
    return (await fetchBy(`https://${HOST}:${nginx.port}${path}`, { dispatcher: agent })).status;
  } finally {
    await agent.close();
  }
}

/** Knows the proxy by its name, and where that is. */
function agentOf(nginx: Nginx): Agent {
  return new Agent({
    connect: {
      ca: nginx.certificate,
      lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    },
  });
}
