// What a change costs: revisions of this repository against each other, interleaved in one run. The first is what the
// others are held against; without any, the commit before the last one is. The working tree is always the last.
// node revisions.mjs [--runs 9] [--rounds 7] [REVISION ...]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { builtRevision } from './drivers/built-toolcrib.mjs';
import { median, report, rounded } from './drivers/figures.mjs';
import { startListening } from './drivers/listening-process.mjs';
import { builtToolcrib, GITHUB } from './drivers/prepare.mjs';
import { memoryOf, processorTime } from './drivers/process-facts.mjs';
import { rotated } from './drivers/rotated.mjs';
import { StdioProcess } from './drivers/stdio-process.mjs';
import { timed } from './drivers/timed.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '9' }, rounds: { type: 'string', default: '7' } },
});
const CALLS = 400;
const AT_ONCE = 32;
const REST_MS = 2_000;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
const stops = [() => rmSync(temporary, { recursive: true, force: true })];
const built = {
  ...Object.fromEntries(
    (positionals.length === 0 ? ['HEAD~1'] : positionals).map((revision) => [
      revision,
      builtRevision(revision),
    ]),
  ),
  'working tree': builtToolcrib(),
};
const revisions = Object.keys(built);
/** By what is measured, then by revision. */
const figures = {};
let states = 0;

try {
  await starts();
  await calls();
  report('revisions', rows(), { runs: Number(options.runs), rounds: Number(options.rounds) });
} finally {
  for (const stop of stops.reverse()) await stop();
}

function note(what, revision, value) {
  figures[what] ??= Object.fromEntries(revisions.map((one) => [one, []]));
  figures[what][revision].push(value);
}

async function starts() {
  const kinds = { flat: ['--topology', 'flat'], 'as it comes': [] };
  for (let run = -1; run < Number(options.runs); run++) {
    for (const revision of rotated(revisions, run)) {
      for (const [kind, flags] of Object.entries(kinds)) {
        const state = join(temporary, `state-${states++}`);
        const cold = await start(revision, state, flags, REST_MS);
        const cached = await start(revision, state, flags, 0);
        rmSync(state, { recursive: true, force: true });
        if (run < 0) continue;
        note(`start, ${kind}, no cache, ms`, revision, cold.ms);
        note(`start, ${kind}, no cache, CPU ms`, revision, cold.cpu);
        note(`start, ${kind}, no cache, RSS MB`, revision, cold.rss);
        note(`start, ${kind}, cached, ms`, revision, cached.ms);
      }
    }
  }
}

/** Killed after the list, as many clients end their servers. */
async function start(revision, state, flags, restMs) {
  const args = ['serve', GITHUB, '--stdio', '--no-watch', '--state-dir', state, ...flags];
  const server = new StdioProcess([built[revision], ...args]);
  try {
    await server.initialize();
    await server.request('tools/list', {});
    const ms = performance.now() - server.started;
    const cpu = processorTime(server.pid);
    await wait(restMs);
    return { ms, cpu, rss: memoryOf(server.pid).rss };
  } finally {
    await server.stop();
  }
}

async function calls() {
  const upstream = await startListening([here('bare/upstream.mjs')]);
  stops.push(upstream.stop);
  const contenders = [];
  for (const revision of revisions) {
    for (const [transport, flags] of Object.entries({ stdio: ['--stdio'], HTTP: ['--port', '0'] })) {
      const state = join(temporary, `calls-${states++}`);
      const flat = ['--topology', 'flat', '--base-url', upstream.url, '--state-dir', state];
      const args = [built[revision], 'serve', here('bare/items.json'), ...flat, ...flags];
      contenders.push({ revision, transport, ...(await connected(transport, args)) });
    }
  }
  for (let round = -2; round < Number(options.rounds); round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const { revision, transport, pid, call } = contenders[(turn + round + 2) % contenders.length];
      await timed(CALLS / 4, 1, call);
      const before = processorTime(pid);
      const one = await timed(CALLS, 1, call);
      const many = await timed(4 * CALLS, AT_ONCE, call);
      const cpu = (processorTime(pid) - before) / (5 * CALLS);
      if (round < 0) continue;
      note(`a call over ${transport}, one at a time, ms`, revision, one);
      note(`a call over ${transport}, ${AT_ONCE} at once, ms`, revision, many);
      note(`a call over ${transport}, CPU ms`, revision, cpu);
    }
  }
}

async function connected(transport, args) {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const opened = transport === 'stdio' ? overStdio(args) : await overHttp(args);
  await client.connect(opened.transport);
  stops.push(() => client.close());
  await client.listTools();
  const call = async (id) => {
    const { isError, content } = await client.callTool({
      name: 'getItem',
      arguments: { id, verbose: true },
    });
    if (isError) throw new Error(JSON.stringify(content).slice(0, 300));
  };
  return { pid: opened.pid ?? opened.transport.pid, call };
}

function overStdio(args) {
  return { transport: new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }) };
}

async function overHttp(args) {
  const listening = await startListening(args);
  stops.push(listening.stop);
  return { transport: new StreamableHTTPClientTransport(new URL(listening.mcp)), pid: listening.pid };
}

function rows() {
  return Object.entries(figures).map(([what, values]) => {
    const first = median(values[revisions[0]]);
    const row = { what };
    for (const revision of revisions) {
      const value = median(values[revision]);
      row[revision] = rounded(value, value < 10 ? 3 : 0);
      if (revision !== revisions[0]) row[`× ${revision}`] = rounded(value / first, 2);
    }
    return row;
  });
}
