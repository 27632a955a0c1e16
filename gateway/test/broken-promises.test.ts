import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createGateway, type Gateway, loadConfiguration } from '../src/index.ts';

/** What the service answers, whatever its document says. */
let answer: unknown;
let created = 0;
const service = createServer((request, response) => {
  if (request.method === 'POST') created++;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer));
});

let folder: string;
let gateway: Gateway;
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-promises-'));
  const schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  const api = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    servers: [{ url: base }],
    paths: { '/orders': { post: { operationId: 'createOrder', responses } } },
  };
  await writeFile(join(folder, 'api.json'), JSON.stringify(api));
  const file = join(folder, 'toolcrib.yaml');
  const sources = { shop: { openapi: 'api.json', baseUrl: base, prefix: 'none' } };
  await writeFile(file, stringify({ store: 'none', cache: false, server: { port: 0 }, sources }));
  const overrides = { stateDirectory: join(folder, 'state') };
  gateway = await createGateway(await loadConfiguration({ file, cwd: folder, env: {}, overrides }));
  url = (await gateway.listen({ host: '127.0.0.1', port: 0 })).url;
});
afterAll(async () => {
  await gateway?.close();
  service.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each([
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
] as const)('an answer that breaks its promise, on revision %s', (revision, options) => {
  it.each([
    ['another type', { id: 'x-7' }, { 'toolcrib/unfit': { id: 'x-7' } }],
    ['no object', ['x-7'], { 'toolcrib/unfit': ['x-7'] }],
    ['a member that is missing', { name: 'x-7' }, { name: 'x-7' }],
  ])(
    'by %s reaches a client that checks it: what was done is not done again',
    async (_how, said, structured) => {
      const client = new Client({ name: 'strict', version: '1' }, options);
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
      try {
        // a client that knows the schemas checks results against them
        await client.listTools();
        answer = said;
        created = 0;
        const result = await client.callTool({ name: 'createOrder', arguments: {} });
        expect(created).toBe(1);
        expect(result.isError ?? false).toBe(false);
        expect(result.structuredContent).toEqual(structured);
        const text = (result.content as { text: string }[]).map((block) => block.text).join('\n');
        expect(text).toContain('x-7');
        expect(text).toContain('Note: The answer does not fit its output schema');
        expect(client.getNegotiatedProtocolVersion?.() ?? revision).toBe(revision);
      } finally {
        await client.close();
      }
    },
  );
});
