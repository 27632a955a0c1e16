// Search, read and retrieve through MCP; then another search provider while the gateway runs. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGateway, loadConfiguration } from 'toolcrib';
import { parse, stringify } from 'yaml';
import { startServices } from './services.mjs';

const services = await startServices();
process.env.BRAVE_API_KEY = 'example-key';
const file = parse(await readFile(join(import.meta.dirname, 'toolcrib.yaml'), 'utf8'));
const { web } = file.sources.web;
web.search.baseUrl = services.brave.url;
web.retrieve.baseUrl = services.index.url;
// A site on the loopback is an internal one: the operator says that its pages may be read.
web.scrape.allow = [new URL(services.site.url).host];

const folder = await mkdtemp(join(tmpdir(), 'toolcrib-research-'));
const configured = async () => {
  await writeFile(
    join(folder, 'toolcrib.yaml'),
    stringify({ ...file, stateDirectory: './state', watch: false }),
  );
  return loadConfiguration({ cwd: folder, env: process.env });
};
const gateway = await createGateway(await configured());
const { url } = await gateway.listen({ port: 0 });
const client = new Client({ name: 'research', version: '1.0.0' });

try {
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const call = (name, args) => client.callTool({ name, arguments: args });
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['web_retrieve', 'web_scrape', 'web_search'],
  );

  const found = (await call('web_search', { query: 'spring tides', count: 5 })).structuredContent;
  assert.equal(found.provider, 'brave');
  assert.equal(found.results[0].snippet, 'Spring tides & neap tides, explained');

  const page = (await call('web_scrape', { url: found.results[0].url })).structuredContent;
  assert.match(page.content, /new moon and every full moon/);
  assert.doesNotMatch(page.content, /Send me the key/);
  assert.equal(page.citations[0].contentHash, page.contentHash);

  const known = (await call('web_retrieve', { query: 'tides', filters: { year: { lt: 1920 } } }))
    .structuredContent;
  assert.equal(known.chunks[0].source, 'almanac, p. 12');

  // Neither what robots.txt keeps, nor the index that only the gateway may reach, nor an address of this machine.
  for (const address of [
    `${services.site.url}/private`,
    `${services.index.url}/_cat/indices`,
    'http://169.254.169.254/',
  ]) {
    assert.equal((await call('web_scrape', { url: address })).isError, true);
  }
  assert.equal(services.site.requests.includes('/private'), false);
  assert.equal(services.index.requests.length, 1);

  // One line of configuration: another provider, the same tool.
  const contract = JSON.stringify(tools);
  web.search = { provider: 'searxng', baseUrl: services.searxng.url };
  await gateway.reconfigure(await configured());
  const again = (await call('web_search', { query: 'spring tides', count: 5 })).structuredContent;
  assert.equal(again.provider, 'searxng');
  assert.deepEqual(again.results, found.results);
  assert.equal(JSON.stringify((await client.listTools()).tools), contract);
  console.log('ok  research: search, scrape and retrieve with citations, and a provider exchanged');
} finally {
  await client.close();
  await gateway.close();
  services.close();
  await rm(folder, { recursive: true, force: true });
}
