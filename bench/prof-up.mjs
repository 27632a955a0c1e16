import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startListening } from './drivers/listening-process.mjs';
import { processorTime } from './drivers/process-facts.mjs';
import { timed } from './drivers/timed.mjs';

const here = (p) => fileURLToPath(new URL(p, import.meta.url));
const UP = here('bare/mcp-upstream.mjs');
const tmp = mkdtempSync('/tmp/pu-');
const cs = [];
const stops = [];
for (const spec of process.argv.slice(2)) {
  const [p, way, store] = spec.split(',');
  const name = spec.split('/').at(-1).replaceAll(',', '-');
  let args,
    tool = 'up_echo';
  if (p === 'direct') {
    args = [UP];
    tool = 'echo';
  } else if (p === 'relay') {
    args = [here('bare/mcp-relay.mjs'), UP];
    tool = 'echo';
  } else {
    const file = join(tmp, `${name}.json`);
    writeFileSync(
      file,
      JSON.stringify({
        topology: 'flat',
        stateDirectory: join(tmp, name),
        mcpServers: { up: { command: process.execPath, args: [UP] } },
        ...(store ? { store } : {}),
      }),
    );
    args = [`${p}/bin/toolcrib.mjs`, 'serve', '--config', file];
  }
  const prof = process.env.PROF
    ? ['--cpu-prof', '--cpu-prof-interval', '250', '--cpu-prof-dir', `${process.env.PROF}/${name}`]
    : [];
  let t, pid;
  if (way === 'http') {
    const s = await startListening([
      ...prof,
      ...args,
      ...(p === 'direct' || p === 'relay' ? ['--http'] : ['--port', '0']),
    ]);
    stops.push(s.stop);
    pid = s.pid;
    t = new StreamableHTTPClientTransport(new URL(s.mcp));
  } else {
    t = new StdioClientTransport({
      command: process.execPath,
      args: [...prof, ...args, ...(p === 'direct' || p === 'relay' ? [] : ['--stdio'])],
      stderr: 'ignore',
    });
  }
  const c = new Client(
    { name: 'b', version: '1' },
    { versionNegotiation: { mode: process.env.AUTO ? 'auto' : 'legacy' } },
  );
  await c.connect(t);
  for (let i = 0; i < 50; i++) {
    const { tools } = await c.listTools();
    if (tools.some((x) => x.name === tool)) break;
    await new Promise((r) => setTimeout(r, 100));
  }
  cs.push({
    name,
    pid: pid ?? t.pid,
    c,
    call: (i) => c.callTool({ name: tool, arguments: { id: Number(i) } }),
  });
}
console.log(JSON.stringify(await cs.at(-1).call(1)).slice(0, 200));
const med = (l) => [...l].sort((a, b) => a - b)[l.length >> 1];
const R = +process.env.ROUNDS || 8;
const out = new Map(cs.map((c) => [c.name, { one: [], many: [], cpu1: [], cpu: [] }]));
for (let r = -2; r < R; r++)
  for (let i = 0; i < cs.length; i++) {
    const c = cs[(i + r + 20) % cs.length];
    await timed(100, 1, c.call);
    const b = processorTime(c.pid);
    const one = await timed(400, 1, c.call);
    const m = processorTime(c.pid);
    const many = await timed(1600, 16, c.call);
    const e = processorTime(c.pid);
    if (r >= 0) {
      const o = out.get(c.name);
      o.one.push(one);
      o.many.push(many);
      o.cpu1.push((m - b) / 400);
      o.cpu.push((e - m) / 1600);
    }
  }
const base = [...out.values()][0];
const ratio = (o, k) => med(o[k].map((x, i) => x / base[k][i]));
for (const [n, o] of out)
  console.log(
    n.padEnd(28),
    'one',
    med(o.one).toFixed(3),
    ratio(o, 'one').toFixed(2),
    'many',
    med(o.many).toFixed(4),
    ratio(o, 'many').toFixed(2),
    'cpu1',
    med(o.cpu1).toFixed(3),
    'cpu',
    med(o.cpu).toFixed(3),
  );
for (const c of cs) await c.c.close();
for (const s of stops) await s();
process.exit();
