import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGateway, defineManifest } from '../../../src/index.ts';

const listening = (server: ReturnType<typeof createServer>) =>
  new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });

test('what defineManifest returns is a source of an embedded gateway', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolcrib-embedded-'));
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ asked: request.url }));
  });
  const port = await listening(server);
  const acme = defineManifest({
    provider: 'acme',
    displayName: 'Acme',
    category: 'crm',
    baseUrl: 'https://api.acme.example/v1',
    apiVersion: 'v1',
    auth: { type: 'bearer' },
    operations: [
      {
        id: 'get_thing',
        method: 'GET',
        path: '/things/{id}',
        access: 'read',
        description: 'Reads one thing.',
        params: { id: { type: 'string', description: 'Its id.', required: true } },
      },
    ],
  });
  const gateway = await createGateway(
    {
      stateDirectory: folder,
      store: 'none',
      sources: {
        acme: { manifest: acme, baseUrl: `http://127.0.0.1:${port}/v1`, credentials: { bearer: 'token' } },
      },
    },
    { baseDirectory: folder },
  );
  try {
    expect(gateway.view().tools.map(({ name }) => name)).toEqual(['acme_get_thing']);
    const result = await gateway.call({ tool: 'acme_get_thing', arguments: { id: 'a/b' } });
    expect(result).toMatchObject({ structured: { asked: '/v1/things/a%2Fb' } });
  } finally {
    await gateway.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
