import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfiguration } from '../../../src/config/index.ts';
import { createGateway } from '../../../src/gateway.ts';
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY } from '../../egress/certificates.ts';
import { tlsService } from '../../egress/tls-service.ts';

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Bank', version: '1' },
  paths: {
    '/accounts': {
      get: { operationId: 'listAccounts', responses: { 200: { description: 'Accounts.' } } },
    },
  },
};

const json = (value: unknown) => () => ({ body: JSON.stringify(value) });

async function service(...asked: Parameters<typeof tlsService>) {
  const started = await tlsService(...asked);
  open.push(started.close);
  return started;
}

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-certified-'));
  open.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Names of the tools of a source that has the client's certificate. */
async function tools(source: object) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries({
    'client.pem': CLIENT_CERTIFICATE,
    'client.key': CLIENT_KEY,
    'ca.pem': AUTHORITY,
  }))
    await writeFile(join(folder, name), text);
  const tls = {
    certificate: { file: './client.pem' },
    key: { file: './client.key' },
    ca: { file: './ca.pem' },
  };
  const configuration = await parseConfiguration(
    { sources: { bank: { tls, ...source } }, stateDirectory: folder, cache: false, watch: false },
    { baseDirectory: folder, env: {} },
  );
  const gateway = await createGateway(configuration);
  open.push(() => gateway.close());
  return gateway.view().tools.map(({ tool }) => tool.name);
}

describe('a document of a service that asks for a client certificate', () => {
  it('is read with the certificate of its source', async () => {
    const bank = await service('requires', json(DOCUMENT));
    const names = await tools({ openapi: `${bank.base}/openapi.json` });
    expect(names).toEqual(['bank_listAccounts']);
    expect(bank.seen).toMatchObject([{ url: '/openapi.json', client: 'toolcrib' }]);
  });

  it.each([
    ['in this process', {}],
    ['of a large one, in the compile process', { 'x-filling': 'x'.repeat(600 * 1024) }],
  ])('is read with it where another refers to it: %s', async (_where, filling) => {
    const path = DOCUMENT.paths['/accounts'];
    const bank = await service('requires', json({ path }));
    const folder = await temporaryFolder();
    const referring = {
      ...DOCUMENT,
      ...filling,
      paths: { '/accounts': { $ref: `${bank.base}/parts.json#/path` } },
    };
    await writeFile(join(folder, 'referring.json'), JSON.stringify(referring));
    const names = await tools({ openapi: join(folder, 'referring.json'), baseUrl: bank.base });
    expect(names).toEqual(['bank_listAccounts']);
    expect(bank.seen).toMatchObject([{ url: '/parts.json', client: 'toolcrib' }]);
  });

  it('shows nothing of it to another origin that the document refers to', async () => {
    const other = await service('asks', json(DOCUMENT));
    const bank = await service(
      'requires',
      json({ ...DOCUMENT, paths: { '/accounts': { $ref: `${other.base}/parts.json#/path` } } }),
    );
    const names = await tools({ openapi: `${bank.base}/openapi.json` });
    expect(names).toEqual([]);
    expect(bank.seen).toHaveLength(1);
    expect(other.seen).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a document of a service behind a socket', () => {
  /** What listens there has the document and one part of it, and tells what it was asked. */
  async function behindSocket(document: object = DOCUMENT) {
    const asked: string[] = [];
    const server = createServer(({ url, headers }, response) => {
      asked.push(`${headers.host}${url}`);
      response.setHeader('content-type', 'application/json');
      const answers: Record<string, unknown> = {
        '/openapi.json': document,
        '/parts.json': { path: DOCUMENT.paths['/accounts'] },
      };
      response.end(JSON.stringify(answers[url!] ?? []));
    });
    const socketPath = join(await temporaryFolder(), 'api.sock');
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    open.push(() => new Promise((resolve) => server.close(resolve)));
    open.push(() => server.closeAllConnections());
    return { socketPath, asked };
  }

  /** The source's gateway, without TLS. */
  async function gatewayOf(source: object) {
    const folder = await temporaryFolder();
    const configuration = await parseConfiguration(
      { sources: { app: source }, stateDirectory: folder, cache: false, watch: false },
      { baseDirectory: folder, env: {} },
    );
    const gateway = await createGateway(configuration);
    open.push(() => gateway.close());
    return gateway;
  }

  const referring = (filling = '') => ({
    ...DOCUMENT,
    'x-filling': filling,
    paths: { '/accounts': { $ref: 'http://localhost/parts.json#/path' } },
  });

  it.each([
    ['in this process', ''],
    ['of a large one, in the compile process', 'x'.repeat(600 * 1024)],
  ])('comes through it, and so do its parts and its calls: %s', async (_where, filling) => {
    const { socketPath, asked } = await behindSocket(referring(filling));
    const source = { openapi: 'http://localhost/openapi.json', baseUrl: 'http://localhost', socketPath };
    const gateway = await gatewayOf(source);
    const [listed] = gateway.view().tools;
    const { signal } = new AbortController();
    const result = await gateway.call({ tool: listed!.tool.name, arguments: {}, signal } as never);
    expect(result).toMatchObject({ kind: 'completed', status: 200 });
    expect(new Set(asked)).toEqual(
      new Set(['localhost/openapi.json', 'localhost/parts.json', 'localhost/accounts']),
    );
  });

  it('that is a file has nothing read there, whatever it refers to', async () => {
    const { socketPath, asked } = await behindSocket();
    const file = join(await temporaryFolder(), 'app.json');
    await writeFile(file, JSON.stringify(referring()));
    const gateway = await gatewayOf({ openapi: file, baseUrl: 'http://localhost', socketPath });
    expect(gateway.view().tools).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('that lies elsewhere has nothing read there either', async () => {
    const { socketPath, asked } = await behindSocket();
    const openapi = 'http://127.0.0.1:9/openapi.json';
    await expect(gatewayOf({ openapi, baseUrl: 'http://localhost', socketPath })).rejects.toMatchObject({
      code: 'source_unreadable',
    });
    expect(asked).toEqual([]);
  });
});
