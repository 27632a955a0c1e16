import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';
import { callApproved } from '../../approved-calls.ts';

const text = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const responses = { 200: { description: 'Done.' } };
const operation = (operationId: string, more: object = {}) => ({ operationId, responses, ...more });
const dangerous = { 'x-toolcrib-access': 'dangerous' };

let folder: string;
let gateway: Gateway;
const received: string[] = [];
const service = createServer(({ method, url }, response) => {
  received.push(`${method} ${url}`);
  response.setHeader('content-type', 'application/json').end('{"ok":true}');
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolcrib-paths-'));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: `${origin}/v1` }],
    paths: {
      '/pets/{id}': {
        get: operation('getPet', { parameters: [text('id')] }),
        post: operation('changePet', { parameters: [text('id')] }),
        delete: operation('deletePet', { parameters: [text('id')] }),
      },
      '/pets/all': { delete: operation('deleteAllPets', dangerous), get: operation('listPets') },
      '/pets/{id}/purge': { post: operation('purgePet', { parameters: [text('id')], ...dangerous }) },
      '/pets/export': { get: operation('exportPets') },
    },
  };
  await writeFile(join(folder, 'pets.json'), JSON.stringify(document));
  gateway = await createGateway(
    {
      stateDirectory: folder,
      store: 'none',
      cache: false,
      watch: false,
      egress: { allow: [origin] },
      sources: {
        pets: { openapi: join(folder, 'pets.json'), prefix: 'none', exclude: [{ operation: 'exportPets' }] },
      },
    },
    { baseDirectory: folder },
  );
});

afterAll(async () => {
  await gateway.close();
  service.close();
  await rm(folder, { recursive: true, force: true });
});

async function outcome(tool: string, id: string): Promise<string | undefined> {
  received.length = 0;
  const result = await callApproved(gateway, { tool, arguments: { id } });
  return result.kind === 'completed' && result.error !== undefined ? result.error.code : received.at(-1);
}

describe('arguments that make the path of an operation that is closed', () => {
  it.each([
    ['a dangerous one, by name', 'deletePet', 'all'],
    ['in other letters', 'deletePet', 'ALL'],
    ['with a format', 'deletePet', 'all.json'],
    ['with a matrix parameter', 'deletePet', 'all;x'],
    ['by an encoded slash', 'changePet', '1/purge'],
    ['by a slash that was encoded before', 'changePet', '1%2Fpurge'],
    ['one that the configuration leaves out', 'getPet', 'export'],
  ])('%s: nothing is sent', async (_name, tool, id) => {
    expect(await outcome(tool, id)).toBe('path_blocked');
    expect(received).toEqual([]);
  });

  it.each([
    ['another name', 'deletePet', 'allen', 'DELETE /v1/pets/allen'],
    ['the method of no closed operation', 'changePet', 'all', 'POST /v1/pets/all'],
    ['the path of one that may be called', 'getPet', 'all', 'GET /v1/pets/all'],
    ['a slash that leads nowhere', 'getPet', '1/2', 'GET /v1/pets/1%2F2'],
  ])('%s goes out', async (_name, tool, id, sent) => {
    expect(await outcome(tool, id)).toBe(sent);
  });
});
