import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { median, rounded } from './figures.mjs';
import { startListening } from './listening-process.mjs';
import { processorTime } from './process-facts.mjs';
import { timed } from './timed.mjs';

const ONE = 150;
const MANY = 640;
const AT_ONCE = 32;
const WARM_UP = 3;

/**
 * One call over Streamable HTTP with the official client, as `calls.mjs` measures it, on gateways with and without a
 * store; each against a bare SDK server that makes the same request.
 */
export async function measureOverhead({ start, upstream, stores, rounds, onStop }) {
  const contenders = [await bareServer(upstream, onStop)];
  for (const [mode, store] of [
    ['local', 'none'],
    ...stores.flatMap((one) => [
      ['local', one],
      ['team', one],
    ]),
  ]) {
    const gateway = await start({ name: `overhead, ${mode}, ${store}`, store, mode, users: 20 });
    contenders.push({
      mode,
      store,
      pid: gateway.pid,
      stop: gateway.stop,
      url: `${gateway.url}/mcp`,
      key: gateway.users[0].key,
    });
  }
  for (const contender of contenders) contender.call = await connect(contender, onStop);
  const figures = contenders.map((contender) => ({ ...contender, one: [], many: [], cpu: [] }));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (let turn = 0; turn < figures.length; turn++) {
      const contender = figures[(turn + round + WARM_UP) % figures.length];
      const before = processorTime(contender.pid);
      const one = await timed(ONE, 1, contender.call);
      const many = await timed(MANY, AT_ONCE, contender.call);
      if (round < 0) continue;
      contender.one.push(one);
      contender.many.push(many);
      contender.cpu.push((processorTime(contender.pid) - before) / (ONE + MANY));
    }
  }
  for (const { stop } of contenders) await stop();
  return figures.map(({ mode, store, one, many, cpu }) => ({
    mode,
    store,
    'ms, one at a time': rounded(median(one), 3),
    ratio: ratio(one, figures[0].one),
    'ms, 32 at once': rounded(median(many), 3),
    'ratio, 32 at once': ratio(many, figures[0].many),
    'ms CPU a call': rounded(median(cpu), 3),
  }));
}

/** Round by round: both sides had the same neighbours. */
function ratio(own, bare) {
  return rounded(median(own.map((value, round) => value / bare[round])), 2);
}

async function bareServer(upstream, onStop) {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bare-'));
  onStop(() => rmSync(folder, { recursive: true, force: true }));
  const tools = join(folder, 'tools.json');
  const properties = { id: { type: 'integer' }, verbose: { type: 'boolean' } };
  writeFileSync(
    tools,
    JSON.stringify([{ name: 'acme_get_item', inputSchema: { type: 'object', properties } }]),
  );
  const server = fileURLToPath(new URL('../bare/server.mjs', import.meta.url));
  const { mcp, pid, stop } = await startListening([server, upstream.url, tools]);
  onStop(stop);
  return { mode: 'bare SDK server', store: '', url: mcp, pid, stop };
}

async function connect({ url, key }, onStop) {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onStop(() => client.close());
  await client.listTools();
  return async (id) => {
    const { isError, content } = await client.callTool({
      name: 'acme_get_item',
      arguments: { id, verbose: true },
    });
    if (isError || JSON.parse(content[0].text).id !== id)
      throw new Error(JSON.stringify(content).slice(0, 300));
  };
}
