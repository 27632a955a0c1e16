import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, type Gateway } from '../../../src/index.ts';

const read = (operationId: string, summary: string) => ({
  get: { operationId, summary, responses: { 200: { description: 'Well.' } } },
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Harbour', version: '1' },
  servers: [{ url: 'https://harbour.example' }],
  paths: {
    '/ship': read('getShip', 'Shows a ship and its crew'),
    '/ships': read('listShips', 'Lists every ship in the harbour'),
    '/shipyard': read('getShipyard', 'Shows where a ship is mended'),
  },
};

/** Texts about mending lie in one direction, everything else in the other. */
const vectorOf = (text: string) => (/mend|repair/.test(text) ? [1, 0] : [0, 1]);

describe('search with the embeddings of a configured endpoint', () => {
  let server: Server;
  let gateway: Gateway;
  let folder: string;
  let status = 200;
  const keys: Array<string | undefined> = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      keys.push(request.headers.authorization);
      let body = '';
      request.on('data', (data) => {
        body += data;
      });
      request.on('end', () => {
        const { input } = JSON.parse(body) as { input: string[] };
        const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    folder = await mkdtemp(join(tmpdir(), 'toolcrib-reranker-'));
    await writeFile(join(folder, 'harbour.json'), JSON.stringify(document));
    await writeFile(join(folder, 'key.txt'), 'key-of-the-endpoint\n');
    gateway = await createGateway(
      {
        topology: 'search',
        stateDirectory: folder,
        store: 'none',
        search: {
          embeddings: {
            baseUrl: `http://127.0.0.1:${port}/v1`,
            model: 'any',
            apiKey: { file: 'key.txt' },
            share: 0.9,
          },
        },
        sources: { harbour: { openapi: 'harbour.json', prefix: 'none' } },
      },
      { baseDirectory: folder },
    );
  });
  afterAll(async () => {
    await gateway.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const firstFound = async (query: string) => {
    const result = await gateway.call({ tool: 'search_tools', arguments: { query } });
    if (result.kind !== 'completed' || result.content[0]?.type !== 'text') throw new Error(result.kind);
    return result.content[0].text.split('\n')[0];
  };

  it('orders what the words found by its meaning, with the key of the configuration', async () => {
    expect(await firstFound('repair ship')).toMatch(/^getShipyard/);
    expect(new Set(keys)).toEqual(new Set(['Bearer key-of-the-endpoint']));
  });

  it('finds by words alone while the endpoint fails', async () => {
    status = 500;
    expect(await firstFound('crew of a ship')).toMatch(/^getShip\b/);
  });
});
