// What one call costs over MCP: Toolcrib against a bare SDK server that makes the same request to the same upstream,
// and against the request itself. Interleaved in one run; the ratio to the bare server is the figure that counts.
// Each turn begins with calls that are not counted: a contender waits while the others have theirs, and what a process
// costs that has slept is another question.
// node calls.mjs [--rounds 15] [--lead 100] [--one 300] [--many 1280]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Agent, request } from 'undici';
import { mean, median, report, rounded } from './drivers/figures.mjs';
import { startListening } from './drivers/listening-process.mjs';
import { builtToolcrib } from './drivers/prepare.mjs';
import { processorTime } from './drivers/process-facts.mjs';
import { timed } from './drivers/timed.mjs';

const AT_ONCE = 32;
const WARM_UP = 3;
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    lead: { type: 'string', default: '100' },
    one: { type: 'string', default: '300' },
    many: { type: 'string', default: '1280' },
  },
});
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
const stops = [() => rmSync(temporary, { recursive: true, force: true })];

try {
  const contenders = await connectAll();
  const figures = contenders.map((contender) => ({ ...contender, one: [], many: [], cpu: [] }));
  for (let round = -WARM_UP; round < Number(options.rounds); round++) {
    for (let turn = 0; turn < figures.length; turn++) {
      const contender = figures[(turn + round + WARM_UP) % figures.length];
      await timed(Number(options.lead), 1, contender.call);
      const before = processorTime(contender.pid);
      const one = await timed(Number(options.one), 1, contender.call);
      const many = await timed(Number(options.many), AT_ONCE, contender.call);
      const cpu = (processorTime(contender.pid) - before) / (Number(options.one) + Number(options.many));
      if (round < 0) continue;
      contender.cpu.push(cpu);
      contender.one.push(one);
      contender.many.push(many);
    }
  }
  report('calls', rowsOf(figures), {
    rounds: Number(options.rounds),
    'calls a round': `${options.lead} not counted, ${options.one} one at a time, ${options.many} with ${AT_ONCE} at once`,
  });
} finally {
  for (const stop of stops.reverse()) await stop();
}

async function connectAll() {
  const upstream = await startListening([here('bare/upstream.mjs')]);
  stops.push(upstream.stop);
  const toolcrib = builtToolcrib();
  const document = here('bare/items.json');
  const tools = join(temporary, 'tools.json');
  const flags = ['--base-url', upstream.url, '--state-dir', join(temporary, 'state')];
  const serve = [toolcrib, 'serve', document, '--topology', 'flat', ...flags];
  const compiled = JSON.parse(
    execFileSync(process.execPath, [toolcrib, 'compile', document, '--json', ...flags], { encoding: 'utf8' }),
  );
  writeFileSync(
    tools,
    JSON.stringify(compiled.tools.map(({ operation: _operation, bindings: _bindings, ...tool }) => tool)),
  );
  const servers = {
    bare: {
      stdio: [here('bare/server.mjs'), upstream.url, tools, '--stdio'],
      http: [here('bare/server.mjs'), upstream.url, tools],
    },
    toolcrib: {
      stdio: [...serve, '--stdio'],
      http: [...serve, '--port', '0'],
    },
  };
  const contenders = [
    { name: 'direct request', transport: '', mode: '', pid: process.pid, call: directCall(upstream.url) },
  ];
  for (const [name, { stdio, http }] of Object.entries(servers)) {
    const listening = await startListening(http);
    stops.push(listening.stop);
    for (const mode of ['legacy', 'auto']) {
      const stdioTransport = new StdioClientTransport({
        command: process.execPath,
        args: stdio,
        stderr: 'ignore',
      });
      const overStdio = await connect(stdioTransport, mode);
      const overHttp = await connect(new StreamableHTTPClientTransport(new URL(listening.mcp)), mode);
      contenders.push({ name, transport: 'stdio', mode, pid: stdioTransport.pid, call: overStdio });
      contenders.push({ name, transport: 'Streamable HTTP', mode, pid: listening.pid, call: overHttp });
    }
  }
  return contenders;
}

function directCall(upstream) {
  const dispatcher = new Agent();
  stops.push(() => dispatcher.close());
  return async (id) => {
    const { body } = await request(`${upstream}/items/${id}?verbose=true`, {
      dispatcher,
      headers: { accept: 'application/json' },
    });
    if ((await body.json()).id !== id) throw new Error('another item came back');
  };
}

async function connect(transport, mode) {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  stops.push(() => client.close());
  await client.listTools();
  return async (id) => {
    const { structuredContent, isError, content } = await client.callTool({
      name: 'getItem',
      arguments: { id, verbose: true },
    });
    if (isError || structuredContent?.id !== id)
      throw new Error(`another item came back: ${JSON.stringify(content).slice(0, 300)}`);
  };
}

function rowsOf(figures) {
  const direct = figures.find(({ name }) => name === 'direct request');
  return figures
    .toSorted((a, b) => `${a.transport}${a.mode}${a.name}`.localeCompare(`${b.transport}${b.mode}${b.name}`))
    .map(({ name, transport, mode, one, many, cpu }) => {
      const bare = figures.find(
        (other) => other.name === 'bare' && other.transport === transport && other.mode === mode,
      );
      const against = (key, list) =>
        name === 'toolcrib' ? rounded(median(list.map((value, round) => value / bare[key][round])), 2) : '';
      return {
        server: name,
        transport,
        era: mode === 'auto' ? '2026-07-28' : mode === 'legacy' ? '2025-11-25' : '',
        'ms, one at a time': rounded(median(one), 3),
        '× direct': rounded(median(one) / median(direct.one), 2),
        '× bare': against('one', one),
        'ms, 32 at once': rounded(median(many), 3),
        '× direct (32)': rounded(median(many) / median(direct.many), 2),
        '× bare (32)': against('many', many),
        'server CPU ms': rounded(mean(cpu), 3),
        'CPU × bare': name === 'toolcrib' ? rounded(mean(cpu) / mean(bare.cpu), 2) : '',
      };
    });
}
