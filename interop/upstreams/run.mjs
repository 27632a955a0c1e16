#!/usr/bin/env node
// Real MCP servers behind Toolcrib: every tool answers as it does directly, over stdio, Streamable HTTP and HTTP+SSE, to
// clients of both eras; resources and prompts too. Node 24; exit 0 when everything is equal.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { freePort } from '../../gateway/test/free-port.ts';
import { connect, overStdio } from './clients.mjs';
import { EVERYTHING_SCRIPT, LEFT_OUT, SECRET, stdioServers, TASK } from './servers.mjs';

const TOOLCRIB = fileURLToPath(new URL('../../gateway/bin/toolcrib.mjs', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'toolcrib-upstreams-'));
const ends = [() => rmSync(directory, { recursive: true, force: true })];

try {
  let compared = 0;
  for (const mode of ['legacy', 'auto']) {
    compared += await compareStdio(mode);
    compared += await compareRemote(mode);
  }
  console.log(`${compared} answers equal`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  for (const end of ends.reverse()) await end();
}

/** Each server directly on one copy of its state, through the gateway on another. */
async function compareStdio(mode) {
  const own = stateFolder(`direct-${mode}`);
  const through = stateFolder(`through-${mode}`);
  const servers = stdioServers(through);
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([name, { command, args, env }]) => [name, { command, args, env }]),
  );
  const gateway = await startGateway(`stdio-${mode}`, { mcpServers }, mode);
  let compared = 0;
  for (const [name, { command, args, env, calls }] of Object.entries(stdioServers(own))) {
    const direct = await connect(overStdio(command, args, env));
    ends.push(() => direct.close());
    compared += await compareServer(name, direct, gateway, calls, (text) => text.replaceAll(own, through));
    await direct.close();
  }
  await gateway.close();
  return compared;
}

async function compareRemote(mode) {
  const { calls } = stdioServers(stateFolder(`remote-${mode}`)).everything;
  const http = await listening('streamableHttp');
  const sse = await listening('sse');
  const mcpServers = {
    http: { type: 'http', url: `${http}/mcp` },
    sse: { type: 'sse', url: `${sse}/sse` },
  };
  const gateway = await startGateway(`remote-${mode}`, { mcpServers }, mode);
  const transports = {
    http: () => new StreamableHTTPClientTransport(new URL(`${http}/mcp`)),
    sse: () => new SSEClientTransport(new URL(`${sse}/sse`)),
  };
  let compared = 0;
  for (const [name, transport] of Object.entries(transports)) {
    const direct = await connect(transport());
    ends.push(() => direct.close());
    compared += await compareServer(name, direct, gateway, calls, (text) => text);
    await direct.close();
  }
  await gateway.close();
  return compared;
}

async function compareServer(name, direct, gateway, calls, place) {
  const { tools } = await direct.listTools();
  const listed = new Set((await gateway.listTools()).tools.map((tool) => tool.name));
  for (const { name: tool } of tools) {
    assert.ok(listed.has(published(name, tool)), `${name}/${tool} is not listed`);
    const asked = calls.some(([called]) => called === tool) || tool === TASK || Object.hasOwn(LEFT_OUT, tool);
    assert.ok(asked, `${name}/${tool} is new: say what it is asked`);
  }
  for (const [tool, args] of calls) {
    if (!tools.some((one) => one.name === tool)) throw new Error(`${name} has no tool ${tool}`);
    const expected = await direct.callTool({ name: tool, arguments: args });
    const given = await gateway.callTool({
      name: published(name, tool),
      arguments: JSON.parse(place(JSON.stringify(args))),
    });
    compare(`${name}/${tool}`, expected, given, place);
  }
  const tasks = tools.some((tool) => tool.name === TASK) ? await compareTasks(name, direct, gateway) : 0;
  const resources = (await direct.listResources().catch(() => ({ resources: [] }))).resources;
  for (const { uri } of resources.slice(0, 5)) {
    compare(`${name} ${uri}`, await direct.readResource({ uri }), await gateway.readResource({ uri }), place);
  }
  let completed = 0;
  const prompts = (await direct.listPrompts().catch(() => ({ prompts: [] }))).prompts;
  for (const prompt of prompts) {
    const args = Object.fromEntries((prompt.arguments ?? []).map(({ name: key }) => [key, 'Text']));
    if (prompt.name === 'resource-prompt') Object.assign(args, { resourceType: 'Text', resourceId: '1' });
    const ask = (client, names) => client.getPrompt({ name: names, arguments: args });
    const names = (await gateway.listPrompts()).prompts.map((one) => one.name);
    const own = names.includes(prompt.name) ? prompt.name : published(name, prompt.name);
    compare(`${name} prompt ${prompt.name}`, await ask(direct, prompt.name), await ask(gateway, own), place);
    const refs = [
      { type: 'ref/prompt', name: prompt.name },
      { type: 'ref/prompt', name: own },
    ];
    completed += await compareCompletions(name, direct, gateway, refs, Object.keys(args));
  }
  const listTemplates = () => direct.listResourceTemplates().catch(() => ({ resourceTemplates: [] }));
  for (const { uriTemplate: uri } of (await listTemplates()).resourceTemplates) {
    const ref = { type: 'ref/resource', uri };
    const variables = [...uri.matchAll(/{(\w+)}/g)].map(([, variable]) => variable);
    completed += await compareCompletions(name, direct, gateway, [ref, ref], variables);
  }
  console.log(
    `ok  ${name}: ${calls.length} calls, ${tasks} tasks, ${Math.min(5, resources.length)} resources, ${prompts.length} prompts, ${completed} completions`,
  );
  return calls.length + tasks + Math.min(5, resources.length) + prompts.length + completed;
}

/** Each argument, with the first value that is offered chosen for those before it. */
async function compareCompletions(name, direct, gateway, [ref, own], names) {
  if (direct.getServerCapabilities()?.completions === undefined) return 0;
  const chosen = {};
  for (const argument of names) {
    const ask = (client, asked) =>
      client.complete({
        ref: asked,
        argument: { name: argument, value: '' },
        context: { arguments: { ...chosen } },
      });
    const expected = await ask(direct, ref);
    compare(`${name} ${JSON.stringify(ref)} ${argument}`, expected, await ask(gateway, own), (text) => text);
    chosen[argument] = expected.completion.values[0] ?? 'Text';
  }
  return names.length;
}

/** One that asks nothing, beside the official requester of tasks; and one whose question reaches the client. */
async function compareTasks(name, direct, gateway) {
  const call = (args) => gateway.callTool({ name: published(name, TASK), arguments: args });
  const session = createTaskSessionFromClient(direct, { endpointId: name });
  const run = async (args) => {
    const execution = await session.callTool(TASK, args);
    return resultFromTaskOutcome((await execution.settle()).outcome);
  };
  const plain = { topic: 'tool cribs', ambiguous: false };
  try {
    const [expected, given, asked] = await Promise.all([
      run(plain),
      call(plain),
      call({ topic: 'python', ambiguous: true }),
    ]);
    assert.notEqual(given.isError, true, JSON.stringify(given));
    compare(`${name}/${TASK}`, expected, given, (text) => text);
    assert.match(asked.content[0].text, /Clarification\*\*: programming/);
  } finally {
    await session.close();
  }
  return 2;
}

function published(server, tool) {
  return `${server}_${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`;
}

/** Equal but for what we add to `_meta`, the time of day and the state folder. */
function compare(what, expected, given, place) {
  if (what.endsWith('/get-env')) {
    const text = given.content[0].text;
    assert.ok(!text.includes(SECRET), 'the secret of the gateway reached an upstream');
    assert.equal(typeof JSON.parse(text).PATH, 'string');
    return;
  }
  assert.deepEqual(
    comparable(given, (text) => text),
    comparable(expected, place),
    what,
  );
}

function comparable({ _meta, resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result }, place) {
  const readable = JSON.stringify(result, (key, value) => {
    // some blobs say when they were made
    if (key === 'blob') return `decoded: ${atob(value)}`;
    return key === '_meta' ? withoutOwn(value) : value;
  });
  const text = place(readable)
    .replace(/\d{1,2}:\d{2}:\d{2}(?: [AP]M)?/g, 'TIME')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'SESSION')
    .replace(/(?:created|modified|accessed): [^\\]*/g, 'TIME');
  return JSON.parse(text);
}

/** What the gateway alone says of content. */
function withoutOwn(meta) {
  const kept = Object.entries(meta).filter(([key]) => !key.startsWith('toolcrib/'));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

async function startGateway(name, configuration, mode) {
  const file = join(directory, `${name}.json`);
  const stateDirectory = join(directory, `${name}-state`);
  writeFileSync(file, JSON.stringify({ ...configuration, topology: 'flat', stateDirectory }));
  const transport = overStdio(process.execPath, [TOOLCRIB, 'serve', '--config', file, '--stdio'], {
    TOOLCRIB_INTEROP_SECRET: SECRET,
  });
  const client = await connect(transport, mode);
  ends.push(() => client.close());
  const wanted = Object.keys(configuration.mcpServers);
  for (const until = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const { tools } = await client.listTools();
    if (wanted.every((server) => tools.some((tool) => tool.name.startsWith(`${server}_`)))) return client;
    if (Date.now() > until) throw new Error(`not all of ${wanted} came: ${tools.map((tool) => tool.name)}`);
  }
}

function stateFolder(name) {
  const folder = join(directory, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function listening(kind) {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING_SCRIPT, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  ends.push(() => child.kill('SIGKILL'));
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => /listening|running/i.test(String(data)) && resolve());
    child.once('exit', (code) => reject(new Error(`everything ${kind} ended with ${code}`)));
  });
  return `http://127.0.0.1:${port}`;
}
