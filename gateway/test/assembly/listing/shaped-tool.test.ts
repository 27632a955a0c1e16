import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { createValidator } from '../../../src/validation/validator.ts';

const rows = Array.from({ length: 120 }, (_, id) => ({ id, status: id % 40 === 0 ? 'error' : 'ok' }));
const list = {
  operationId: 'listThings',
  parameters: [{ name: '_limit', in: 'query', schema: { type: 'string' } }],
  responses: {
    200: {
      description: 'Things.',
      content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } },
    },
  },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: { '/things': { get: list } },
};

describe('a flat tool whose answers the configuration wants shaped', () => {
  let server: Server;
  let gateway: Gateway;
  let folder: string;
  const asked: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url!);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-shaped-'));
    await writeFile(join(folder, 'things.json'), JSON.stringify(document));
    gateway = await createGateway(
      {
        topology: 'flat',
        shaping: true,
        stateDirectory: folder,
        store: 'none',
        sources: { things: { openapi: 'things.json', prefix: 'none', baseUrl: `http://127.0.0.1:${port}` } },
      },
      { baseDirectory: folder },
    );
  });
  afterAll(async () => {
    await gateway.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const tool = () => gateway.view().tools[0]!.tool;

  it('says how its answers are asked for, and keeps an argument of its own under a reserved name', () => {
    expect(Object.keys(tool().inputSchema['properties'] as object)).toEqual(
      expect.arrayContaining(['_filter', '_fields', '_cursor', '_limit']),
    );
    expect(tool().inputSchema['properties']).toMatchObject({ _limit: { type: 'string' } });
  });

  it('answers by the schema that it declares', async () => {
    const result = await gateway.call({ tool: 'listThings', arguments: { _filter: { status: 'error' } } });
    if (result.kind !== 'completed') throw new Error(result.kind);
    expect(result.structured).toMatchObject({ data: [{ id: 0 }, { id: 40 }, { id: 80 }] });
    const validator = createValidator();
    await validator.ready();
    expect(validator.validate(tool().outputSchema!, result.structured)).toMatchObject({ valid: true });
    expect(asked.at(-1)).toBe('/things');
  });

  it('sends its own argument and takes the others out', async () => {
    await gateway.call({ tool: 'listThings', arguments: { _limit: '7', _fields: ['id'] } });
    expect(asked.at(-1)).toBe('/things?_limit=7');
  });

  it('refuses a bad filter as an outcome of the call', async () => {
    const result = await gateway.call({ tool: 'listThings', arguments: { _filter_status: '~(' } });
    expect(result).toMatchObject({ error: { code: 'filter_invalid' } });
  });
});
