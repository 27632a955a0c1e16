// One graph, unchanged: first with a search engine over HTTP, then with an MCP server. Exits 0 when both answer alike.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, loadConfiguration } from 'toolcrib';
import { createGraph } from './graph.mjs';
import { startSearchEngine } from './search-engine.mjs';

const here = import.meta.dirname;
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-agent-graph-'));
const engine = await startSearchEngine();
const text = await readFile(join(here, 'toolcrib.yaml'), 'utf8');
const overHttp = text
  .replace('http://127.0.0.1:8791', engine.url)
  .replace('command: node', `command: ${JSON.stringify(process.execPath)}`)
  .replace('./library-server.mjs', JSON.stringify(join(here, 'library-server.mjs')));
const overMcp = overHttp.replace(/search: .*/, 'search: { provider: mcp, server: library, tool: look_up }');

const configurationOf = async (yaml) => {
  const file = join(folder, 'toolcrib.yaml');
  await writeFile(file, yaml);
  const overrides = { stateDirectory: join(folder, 'state') };
  return loadConfiguration({ file, cwd: folder, env: process.env, overrides });
};
const gateway = await createGateway(await configurationOf(overHttp));

try {
  const graph = createGraph(async (tool, args) => {
    const result = await gateway.call({ tool, arguments: args });
    if (result.error !== undefined) throw new Error(`${result.error.code}: ${result.error.message}`);
    return result.structured;
  });
  const question = 'When are tides highest?';
  const contract = () => JSON.stringify(gateway.view().tools.find(({ name }) => name === 'web_search').tool);

  const before = contract();
  const first = await graph.invoke({ question });
  await gateway.reconfigure(await configurationOf(overMcp));
  const second = await graph.invoke({ question });

  assert.match(first.answer.text, /tides/i);
  assert.equal(first.answer.citations.length, 2);
  assert.deepEqual(second.answer, first.answer);
  assert.equal(contract(), before, 'the contract of the tool changed with its provider');
  const events = (await gateway.events()).filter(({ type }) => type === 'call-completed');
  assert.deepEqual(
    events.map(({ tool }) => tool),
    ['web_search', 'library_look_up', 'web_search'],
  );
  console.log('ok  agent-graph: one graph, an HTTP provider and an MCP server, the same answer');
} finally {
  await gateway.close();
  engine.close();
  await rm(folder, { recursive: true, force: true });
}
