// Builds the bundle, unpacks it into an empty folder, starts its server as a client would, and calls a tool of a
// service on the loopback interface. Exits 0 when all holds. After `npm run build`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import yauzl from 'yauzl';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-mcpb-'));
const seen = [];
const service = createServer((request, response) => {
  seen.push(`${request.method} ${request.url} ${request.headers['x-key'] ?? '-'}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Rex"}');
});
await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${service.address().port}`;

try {
  const bundle = join(folder, 'toolcrib.mcpb');
  execFileSync(process.execPath, [join(import.meta.dirname, 'build.mjs'), bundle], { stdio: 'inherit' });
  const installed = join(folder, 'installed');
  await unpack(bundle, installed);
  const document = join(folder, 'pets.json');
  writeFileSync(document, JSON.stringify(petsDocument()));
  const { server } = JSON.parse(readFileSync(join(installed, 'manifest.json'), 'utf8'));

  // 1. with a document, its base URL and a key
  const given = { document, base_url: address, key: 'key-of-pets' };
  await withClient(server.mcp_config, installed, given, async (client) => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['getPet'],
    );
    const { structuredContent } = await client.callTool({ name: 'getPet', arguments: { id: '7' } });
    assert.deepEqual(structuredContent, { name: 'Rex' });
    assert.deepEqual(seen, ['GET /pets/7 key-of-pets']);
  });

  // 2. with nothing filled in: the quickstart
  await withClient(server.mcp_config, installed, {}, async (client) => {
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'searchPlaces'));
  });
  console.log('The bundle starts, and its tools answer.');
} finally {
  service.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the server as the manifest says, with these settings filled in. */
async function withClient({ command, args, env }, installed, settings, use) {
  // what is left out stays a placeholder, as some clients leave it
  const filled = (text) =>
    text
      .replaceAll('${__dirname}', installed)
      .replaceAll(/\$\{user_config\.(\w+)\}/g, (placeholder, name) => settings[name] ?? placeholder);
  const transport = new StdioClientTransport({
    command: command === 'node' ? process.execPath : command,
    args: args.map(filled),
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      USERPROFILE: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    },
  });
  const client = new Client({ name: 'check', version: '1.0.0' });
  await client.connect(transport);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

function petsDocument() {
  const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const ok = { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }],
    paths: {
      '/pets/{id}': { get: { operationId: 'getPet', parameters: [parameter], responses: { 200: ok } } },
    },
  };
}

/** By another reader than our own writer's. */
async function unpack(file, target) {
  const archive = await yauzl.openPromise(file);
  for await (const entry of archive.eachEntry()) {
    const path = join(target, entry.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await buffer(await archive.openReadStreamPromise(entry)));
    chmodSync(path, (entry.externalFileAttributes >>> 16) & 0o777);
  }
}
