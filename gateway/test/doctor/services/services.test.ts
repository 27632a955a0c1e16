import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/doctor/index.ts';
import { unreachable } from '../../../src/doctor/services/unreachable.ts';
import { EgressFailure } from '../../../src/egress/index.ts';
import { temporaryHome } from '../../cli/command-run.ts';
import { type Answer, startLoopbackService } from '../../doubles/loopback-service.ts';
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY } from '../../egress/certificates.ts';
import { startConnectProxy } from '../../egress/connect-proxy.ts';
import { tlsService } from '../../egress/tls-service.ts';

const crib = temporaryHome();

/** Findings of `toolcrib doctor` about a service whose `listPets` is described, and which answers like this. */
async function findingsAbout(
  baseUrl: string | undefined,
  env: Record<string, string> = {},
  document: object = documentOf(),
): Promise<Finding[]> {
  await writeFile(join(crib.home, 'pets.json'), JSON.stringify(document));
  const base = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const words = ['doctor', '--json', '--spec', 'pets.json', ...base];
  const { out } = await crib.run(words, { env });
  return (JSON.parse(out) as { findings: Finding[] }).findings;
}

function documentOf(servers: readonly { readonly url: string }[] = []) {
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers,
    paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } },
  };
}

async function answering(answer: Answer, env: Record<string, string> = {}) {
  const service = await startLoopbackService('', () => answer);
  try {
    const findings = await findingsAbout(`${service.url}/api/v9`, env);
    return { findings, requests: service.requests, url: service.url };
  } finally {
    await service.close();
  }
}

const of = (findings: readonly Finding[], check: string) => findings.filter((one) => one.check === check);
const json = { 'content-type': 'application/json' };

describe('a wrong base URL', () => {
  it('is a host that nobody knows', async () => {
    const [finding] = of(await findingsAbout(`https://${'a'.repeat(64)}.test/`), 'service');
    expect(finding).toMatchObject({ status: 'error', next: expect.stringContaining('spelling') });
    expect(finding!.message).toContain('cannot be resolved');
  });

  it('is a port where nothing listens', async () => {
    const [finding] = of(await findingsAbout('http://127.0.0.1:1'), 'service');
    expect(finding).toMatchObject({
      status: 'error',
      message: expect.stringContaining('refuses the connection'),
      next: expect.stringContaining('Nothing listens there'),
    });
  });

  it('lies behind a proxy where nothing listens', () => {
    const failure = new EgressFailure('proxy_unreachable', 'none', 'The proxy p:3128 refuses the connection');
    const { message, next } = unreachable({ origin: 'https://api.example' }, failure, {
      proxy: true,
      env: {},
    });
    expect(message).toBe('https://api.example does not answer: The proxy p:3128 refuses the connection');
    expect(next).toContain('Check that the proxy runs');
  });

  it('is https where http is spoken', async () => {
    const service = await startLoopbackService('', () => ({ status: 200, headers: json }));
    const [finding] = of(await findingsAbout(service.url.replace('http:', 'https:')), 'service');
    await service.close();
    expect(finding).toMatchObject({
      status: 'error',
      next: expect.stringContaining('Begin `baseUrl` with http://'),
    });
  });

  it('is a path where a web page stands', async () => {
    const page = { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } };
    const { findings, requests, url } = await answering(page);
    expect(requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['HEAD /api/v9/pets']);
    expect(of(findings, 'service')).toMatchObject([
      {
        status: 'warning',
        message: `${url}/api/v9/pets answers with a web page (404), not as an API does.`,
        next: expect.stringContaining('baseUrl'),
      },
    ]);
  });

  it('is none where an API refuses, or knows no such thing', async () => {
    for (const status of [401, 404]) {
      const { findings, url } = await answering({ status, headers: json });
      expect(of(findings, 'service')).toMatchObject([
        { status: 'ok', message: `${url} answers (${status})` },
      ]);
    }
  });

  it('is none where HEAD is refused in a way that is no HTTP: what answers to GET is there', async () => {
    const asked: string[] = [];
    const server = createServer((socket) => {
      socket.once('data', (data) => {
        const method = data.toString().split(' ')[0]!;
        asked.push(method);
        const refused = 'HTTP/1.1 411 LENGTH REQUIRED\r\nHTTP/1.1 400 BAD REQUEST\r\n';
        socket.end(method === 'HEAD' ? refused : 'HTTP/1.1 401 UNAUTHORIZED\r\nContent-Length: 0\r\n\r\n');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const findings = await findingsAbout(url);
    server.close();
    expect(asked).toEqual(['HEAD', 'GET']);
    expect(of(findings, 'service')).toMatchObject([{ status: 'ok', message: `${url} answers (401)` }]);
  });

  it('is none where the authority of the source signed for the service, or knows the gateway by its certificate', async () => {
    const service = await tlsService('requires');
    const asked = async (tls?: object) => {
      await writeFile(join(crib.home, 'pets.json'), JSON.stringify(documentOf()));
      const pets = { openapi: 'pets.json', baseUrl: service.base, ...(tls && { tls }) };
      await writeFile(join(crib.home, 'tls.yaml'), JSON.stringify({ sources: { pets } }));
      const { out } = await crib.run(['doctor', '--json', '--config', 'tls.yaml']);
      return of((JSON.parse(out) as { findings: Finding[] }).findings, 'service');
    };
    const known = { ca: AUTHORITY, certificate: CLIENT_CERTIFICATE, key: CLIENT_KEY };
    expect(await asked(known)).toMatchObject([{ status: 'ok', message: `${service.base} answers (200)` }]);
    expect(await asked()).toMatchObject([
      { status: 'error', next: expect.stringMatching(/^Name the authority that signed it by `tls: /) },
    ]);
    // the authority is named: what it lacks is a `tls` that can be used
    const broken = { ...known, key: '-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----' };
    expect(await asked(broken)).toMatchObject([
      { status: 'error', next: expect.stringMatching(/^Mend the `tls` of the source first: /) },
    ]);
    service.close();
  });

  it('is missing where the server of the document stands nowhere', async () => {
    await writeFile(join(crib.home, 'relative.json'), JSON.stringify(documentOf([{ url: '/v1' }])));
    const { exit, out } = await crib.run(['doctor', '--json', '--spec', 'relative.json']);
    expect(exit).toBe(78);
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    expect(of(findings, 'service')).toMatchObject([
      {
        status: 'error',
        message: expect.stringMatching(/^Source relative: The server URL .* is not absolute/),
      },
    ]);
  });

  it.each([
    ['', '/api/v9'],
    ['', 'https://pets.example/api/v9/'],
    ['/', '/api/v9'],
  ])('may lack the path at which the document begins: http://127.0.0.1:1%s for %s', async (path, url) => {
    const findings = await findingsAbout(`http://127.0.0.1:1${path}`, {}, documentOf([{ url }]));
    expect(of(findings, 'base URL of pets')).toEqual([
      expect.objectContaining({
        status: 'info',
        message: expect.stringContaining('paths begin at /api/v9, which calls leave out'),
        next: expect.stringMatching(/: http:\/\/127\.0\.0\.1:1\/api\/v9$/),
      }),
    ]);
  });

  it.each([
    ['/v2', '/api/v9'],
    ['', '/'],
    ['', 'https://pets.example'],
    ['', 'https://pets.example/{tenant}'],
  ])('lacks none: http://127.0.0.1:1%s for %s', async (path, url) => {
    const findings = await findingsAbout(`http://127.0.0.1:1${path}`, {}, documentOf([{ url }]));
    expect(of(findings, 'base URL of pets')).toEqual([]);
  });

  it.each([
    ['http://127.0.0.1:1/api', '', ['warning']],
    ['http://127.0.0.1:1/api/', '/api', ['warning']],
    [undefined, 'http://127.0.0.1:1/api', ['warning']],
    ['http://127.0.0.1:1', '/api', []],
    ['http://127.0.0.1:1/ap', '', []],
    ['http://127.0.0.1:1/api/pets', '', []],
  ])('may end as every path begins: %s, server %s', async (baseUrl, server, statuses) => {
    const { paths, ...document } = documentOf(server === '' ? [] : [{ url: server }]);
    const doubled = { '/api': paths['/pets'], '/api/pets': paths['/pets'], '/api/dogs': paths['/pets'] };
    const found = of(await findingsAbout(baseUrl, {}, { ...document, paths: doubled }), 'base URL of pets');
    expect(found.map(({ status }) => status)).toEqual(statuses);
    for (const { message } of found) expect(message).toMatch(/: calls go to \/api\/api\/(?:pets|dogs)\.$/);
  });

  it('leads elsewhere', async () => {
    const { findings } = await answering({ status: 301, headers: { location: 'https://api.test/v2' } });
    expect(of(findings, 'service')[0]!.message).toMatch(/\(301\), and leads to https:\/\/api\.test$/);
  });
});

describe('what the gateway itself asks', () => {
  const configured = async (endpoint: string, document = endpoint) => {
    const own = {
      sources: {
        pets: {
          openapi: './pets.json',
          baseUrl: document,
          credentials: { nango: { integration: 'pets', connection: 'shop', baseUrl: `${endpoint}/nango/` } },
        },
      },
      artifacts: { store: { s3: { endpoint, bucket: 'crib' } } },
      chat: { baseUrl: `${endpoint}/v1`, model: 'small' },
      search: { embeddings: { baseUrl: `${endpoint}/v2`, model: 'small' } },
      telemetry: { otlp: `${endpoint}/v3` },
    };
    await writeFile(join(crib.home, 'pets.json'), JSON.stringify(documentOf()));
    await writeFile(join(crib.home, 'toolcrib.yaml'), JSON.stringify(own));
    const { out } = await crib.run(['doctor', '--json', '--config', 'toolcrib.yaml']);
    return of((JSON.parse(out) as { findings: Finding[] }).findings, 'service');
  };

  it('is asked whether it answers, without a credential', async () => {
    const service = await startLoopbackService('', () => ({ status: 403, headers: json }));
    const findings = await configured(service.url);
    await service.close();
    expect(service.requests.map(({ method, target }) => `${method} ${target}`).toSorted()).toEqual([
      'HEAD /crib',
      'HEAD /nango/connections',
      'HEAD /pets',
      'HEAD /v1',
      'HEAD /v2',
      'HEAD /v3',
    ]);
    expect(service.requests.map(({ headers }) => headers['authorization'])).toEqual(Array(6).fill(undefined));
    expect(findings.map(({ message }) => message)).toEqual(Array(6).fill(`${service.url} answers (403)`));
  });

  it('is named by the setting that says where it is', async () => {
    const service = await startLoopbackService('', () => ({ status: 200, headers: json }));
    const findings = await configured('http://127.0.0.1:1', service.url);
    await service.close();
    expect(findings.map(({ status, next }) => `${status}: ${next}`)).toEqual([
      'error: Nothing listens there: start the service, or correct host and port of `artifacts.store.s3.endpoint`.',
      'error: Nothing listens there: start the service, or correct host and port of `chat.baseUrl`.',
      'error: Nothing listens there: start the service, or correct host and port of `search.embeddings.baseUrl`.',
      'error: Nothing listens there: start the service, or correct host and port of `sources.pets.credentials.nango.baseUrl`.',
      'error: Nothing listens there: start the service, or correct host and port of `telemetry.otlp`.',
      'ok: undefined',
    ]);
  });

  it('through the proxy as calls and spans do', async () => {
    const service = await startLoopbackService('', () => ({ status: 405, headers: json }));
    const proxy = await startConnectProxy({ leadsTo: new URL(service.url).host });
    const unknown = `${'a'.repeat(64)}.test`;
    const own = {
      sources: { pets: { openapi: './pets.json', baseUrl: `http://${unknown}` } },
      egress: { proxy: { url: { env: 'PROXY' }, resolve: 'proxy' } },
      telemetry: { otlp: `http://${unknown}:4318` },
    };
    await writeFile(join(crib.home, 'pets.json'), JSON.stringify(documentOf()));
    await writeFile(join(crib.home, 'toolcrib.yaml'), JSON.stringify(own));
    const words = ['doctor', '--json', '--config', 'toolcrib.yaml'];
    const { out } = await crib.run(words, { env: { PROXY: proxy.origin } });
    await Promise.all([proxy.close(), service.close()]);
    expect(proxy.asked.map(({ target }) => target).sort()).toEqual([`${unknown}:4318`, `${unknown}:80`]);
    expect(of((JSON.parse(out) as { findings: Finding[] }).findings, 'service')).toMatchObject([
      { status: 'ok', message: `http://${unknown}:4318 answers (405)` },
      { status: 'ok', message: `http://${unknown} answers (405)` },
    ]);
  });
});

describe('a proxy in the environment', () => {
  it('is not used, which is said without its password', async () => {
    const proxy = await startLoopbackService('', () => ({ status: 502 }));
    const value = proxy.url.replace('http://', 'http://ann:hidden-word@');
    const env = { HTTPS_PROXY: value, HTTP_PROXY: value };
    const { findings, requests } = await answering({ status: 401, headers: json }, env);
    expect(requests).toHaveLength(1);
    expect(proxy.requests).toEqual([]);
    await proxy.close();
    expect(of(findings, 'proxy')).toMatchObject([
      { status: 'info', message: expect.stringContaining('HTTPS_PROXY, HTTP_PROXY are set, and not used') },
    ]);
    expect(JSON.stringify(findings)).not.toContain('hidden-word');
  });

  it('is named where a service cannot be reached', async () => {
    const findings = await findingsAbout('http://127.0.0.1:1', { https_proxy: 'http://127.0.0.1:2' });
    expect(of(findings, 'service')[0]!.next).toContain('https_proxy is set and not used');
  });
});

describe('the clock', () => {
  it.each([
    [-3_600_000, 'error', '60 minutes ahead of'],
    [120_000, 'warning', '2 minutes behind'],
    [0, 'ok', 'agrees'],
  ] as const)('%d ms off is found by what the service says', async (off, status, words) => {
    const date = new Date(Date.now() + off).toUTCString();
    const { findings } = await answering({ status: 401, headers: { ...json, date } });
    expect(of(findings, 'clock')).toMatchObject([{ status, message: expect.stringContaining(words) }]);
  });

  it('is not held against an answer out of a cache', async () => {
    const date = new Date(0).toUTCString();
    const { findings } = await answering({ status: 200, headers: { ...json, date, age: '5' } });
    expect(of(findings, 'clock')).toEqual([]);
  });
});
