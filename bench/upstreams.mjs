// What a gateway before an MCP server costs: Toolcrib beside mcp-proxy and supergateway, same upstream, same official
// client, interleaved in one run. Ratios are against the same tool reached directly: over the transport that the client
// speaks (what the gateway adds for it), and over the one that the upstream server speaks. Two that decide nothing show
// what the hop itself costs: `cat` on both sides of the server, and a relay of a few lines.
// Each turn begins with calls that are not counted: a contender waits while the others have theirs, and what a process
// costs that has slept is another question.
// node upstreams.mjs [--rounds 12] [--lead 100] [--one 300] [--many 960] [--width 16]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { freePort } from '../gateway/test/free-port.ts';
import { median, report, rounded } from './drivers/figures.mjs';
import { startListening } from './drivers/listening-process.mjs';
import { builtToolcrib } from './drivers/prepare.mjs';
import { familyMemory } from './drivers/process-facts.mjs';
import { timed } from './drivers/timed.mjs';

const WARM_UP = 3;
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    lead: { type: 'string', default: '100' },
    one: { type: 'string', default: '300' },
    many: { type: 'string', default: '960' },
    width: { type: 'string', default: '16' },
  },
});
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const UPSTREAM = here('bare/mcp-upstream.mjs');
const temporary = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
const stops = [() => rmSync(temporary, { recursive: true, force: true })];

try {
  const contenders = await connectAll();
  for (let round = -WARM_UP; round < Number(options.rounds); round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(turn + round + WARM_UP) % contenders.length];
      await timed(Number(options.lead), 1, contender.call);
      const one = await timed(Number(options.one), 1, contender.call);
      const many = await timed(Number(options.many), Number(options.width), contender.call);
      if (round < 0) continue;
      contender.one.push(one);
      contender.many.push(many);
    }
  }
  report(
    'upstreams',
    contenders.map((contender) => rowOf(contender, contenders)),
    {
      rounds: Number(options.rounds),
      'calls a round': `${options.lead} not counted, ${options.one} one at a time, ${options.many} with ${options.width} at once`,
    },
  );
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function connectAll() {
  const http = await startListening([UPSTREAM, '--http']);
  stops.push(http.stop);
  const command = { command: process.execPath, args: [UPSTREAM] };
  const toolcrib = builtToolcrib();
  const configured = (name, upstream, more) => {
    const file = join(temporary, `${name}.json`);
    const state = join(temporary, name);
    writeFileSync(
      file,
      JSON.stringify({ topology: 'flat', stateDirectory: state, mcpServers: { up: upstream }, ...more }),
    );
    return [toolcrib, 'serve', '--config', file];
  };
  const all = [];
  const add = async (name, way, open, tool = 'echo') => {
    const started = performance.now();
    const { transport, pid } = await open();
    const client = new Client(
      { name: 'bench', version: '1.0.0' },
      { versionNegotiation: { mode: 'legacy' } },
    );
    await client.connect(transport);
    stops.push(() => client.close());
    await listed(client, tool);
    const startMs = performance.now() - started;
    all.push({
      name,
      way,
      startMs,
      pid: pid ?? transport.pid,
      call: caller(client, tool),
      one: [],
      many: [],
    });
  };
  const stdio = (args) => async () => ({
    transport: new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }),
  });
  const listening = (args) => async () => {
    const server = await startListening(args);
    stops.push(server.stop);
    return { transport: new StreamableHTTPClientTransport(new URL(server.mcp)), pid: server.pid };
  };
  const onPort = (args) => async () => {
    const port = await freePort();
    const server = await startAnyway(args(port), port);
    stops.push(server.stop);
    return {
      transport: new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)),
      pid: server.pid,
    };
  };
  const remote = { type: 'http', url: http.mcp };
  const bare = { store: 'none' };
  await add('direct', 'stdio', stdio([UPSTREAM]));
  await add('direct', 'HTTP', async () => ({
    transport: new StreamableHTTPClientTransport(new URL(http.mcp)),
    pid: http.pid,
  }));
  const cats = ['-c', 'cat | "$0" "$1" | cat', process.execPath, UPSTREAM];
  await add('cat', 'stdio to stdio', async () => ({
    transport: new StdioClientTransport({ command: '/bin/sh', args: cats, stderr: 'ignore' }),
  }));
  const relay = [here('bare/mcp-relay.mjs'), UPSTREAM];
  await add('relay', 'stdio to stdio', stdio(relay));
  await add('relay', 'HTTP to stdio', listening([...relay, '--http']));
  for (const [label, more] of [
    ['toolcrib', {}],
    ['toolcrib, no store', bare],
  ]) {
    const key = label.replace(/\W+/g, '-');
    await add(
      label,
      'stdio to stdio',
      stdio([...configured(`${key}-ss`, command, more), '--stdio']),
      'up_echo',
    );
    await add(
      label,
      'stdio to HTTP',
      stdio([...configured(`${key}-sh`, remote, more), '--stdio']),
      'up_echo',
    );
    await add(
      label,
      'HTTP to stdio',
      listening([...configured(`${key}-hs`, command, more), '--port', '0']),
      'up_echo',
    );
    await add(
      label,
      'HTTP to HTTP',
      listening([...configured(`${key}-hh`, remote, more), '--port', '0']),
      'up_echo',
    );
  }
  const proxy = here('node_modules/.bin/mcp-proxy');
  const supergateway = here('node_modules/.bin/supergateway');
  const shell = `${process.execPath} ${UPSTREAM}`;
  await add(
    'mcp-proxy',
    'HTTP to stdio',
    onPort((port) => [
      proxy,
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--server',
      'stream',
      '--',
      process.execPath,
      UPSTREAM,
    ]),
  );
  await add(
    'supergateway',
    'HTTP to stdio',
    onPort((port) => [
      supergateway,
      '--stdio',
      shell,
      '--outputTransport',
      'streamableHttp',
      '--stateful',
      '--port',
      `${port}`,
      '--logLevel',
      'none',
    ]),
  );
  await add(
    'supergateway',
    'stdio to HTTP',
    stdio([supergateway, '--streamableHttp', http.mcp, '--logLevel', 'none']),
  );
  return all;
}

async function listed(client, tool) {
  for (const until = Date.now() + 15_000; ; await pause(20)) {
    const { tools } = await client.listTools();
    if (tools.some(({ name }) => name === tool)) return;
    if (Date.now() > until) throw new Error(`${tool} is not listed`);
  }
}

function caller(client, name) {
  return async (id) => {
    const { content, isError } = await client.callTool({ name, arguments: { id } });
    if (isError || !content[0].text.includes(`item ${id}`))
      throw new Error(JSON.stringify(content).slice(0, 300));
  };
}

function rowOf({ name, way, startMs, pid, one, many }, all) {
  const [client, upstream] = way.split(' to ');
  const ratios = (transport) => {
    const direct = all.find((other) => other.name === 'direct' && other.way === transport);
    const ratio = (key, list) => rounded(median(list.map((value, round) => value / direct[key][round])), 2);
    return upstream === undefined ? '' : `${ratio('one', one)}, ${ratio('many', many)}`;
  };
  return {
    gateway: name,
    way,
    'one at a time, ms': rounded(median(one), 3),
    'at once, ms a call': rounded(median(many), 3),
    "ratios, client's transport": ratios(client),
    "ratios, upstream's transport": ratios(upstream),
    'start to list, ms': Math.round(startMs),
    'memory with upstream, MB': Math.round(familyMemory(pid)),
  };
}

/** A server that says nothing we could wait for: it is there when its port answers. */
async function startAnyway(args, port) {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true });
  for (const until = Date.now() + 20_000; ; await pause(20)) {
    const there = await fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    );
    if (there) break;
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${args[0]} did not listen`);
  }
  return {
    pid: child.pid,
    stop: () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // it has ended
      }
    },
  };
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
