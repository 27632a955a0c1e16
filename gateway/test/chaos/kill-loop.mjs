// Crash safety, for CI: kills a gateway's event log at random moments and looks at what is left.
// node test/chaos/kill-loop.mjs [ROUNDS] [ADDRESS]; without an address, a SQLite file of its own. Exits 1 on any violation.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recoverOpenCalls } from '../../src/events/recover-open-calls.ts';
import { createEndedProcess } from '../../src/store/ended-process.ts';
import { openStore } from '../../src/store/open-store.ts';

const rounds = Number(process.argv[2] ?? 40);
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-chaos-'));
const address = process.argv[3] ?? `sqlite:${join(folder, 'toolcrib.db')}`;
const appender = fileURLToPath(new URL('appender.mjs', import.meta.url));
const violations = [];
const violated = (round, what) => violations.push(`round ${round}: ${what}`);

/** Everything that the child said was committed before it was killed. */
async function crash(round) {
  const file = join(folder, `acknowledged-${round}`);
  const child = spawn(process.execPath, [appender, address, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let complained = '';
  child.stderr.on('data', (chunk) => {
    complained += chunk;
  });
  const begun = once(child.stdout, 'data');
  await Promise.race([begun, ended]);
  setTimeout(() => child.kill('SIGKILL'), Math.random() * 250);
  const [, signal] = await ended;
  if (signal !== 'SIGKILL') violated(round, `the child ended by itself: ${complained}`);
  // the last line may be cut: its commit was not yet acknowledged
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [sequence, type, call] = line.split(' ');
    return { sequence: Number(sequence), type, call };
  });
}

async function examine(round, acknowledged, known) {
  const store = await openStore(address);
  try {
    const recovered = await recoverOpenCalls(store, createEndedProcess(store));
    const rows = await store.database
      .selectFrom('events')
      .select(['sequence', 'type', 'call_id', 'body'])
      .orderBy('sequence')
      .execute();
    const bySequence = new Map(rows.map((row) => [row.sequence, row]));
    if (bySequence.size !== rows.length) violated(round, 'a sequence stands there twice');
    for (const { sequence, type, call } of [...known, ...acknowledged]) {
      const row = bySequence.get(sequence);
      if (row?.type !== type || row.call_id !== call) violated(round, `event ${sequence} of ${call} is lost`);
    }
    const calls = Map.groupBy(rows, (row) => row.call_id);
    for (const [call, events] of calls) {
      const [start, end, ...more] = events;
      if (start.type !== 'call-started') violated(round, `call ${call} has no start`);
      if (end === undefined) violated(round, `call ${call} has no end`);
      if (more.length > 0) violated(round, `call ${call} has ${events.length} events`);
    }
    for (const { call, code, access } of recovered) {
      const expected = access === 'read' ? 'interrupted' : 'outcome_unknown';
      if (code !== expected) violated(round, `call ${call} (${access}) ended as ${code}`);
    }
    const { usage } = await store.database
      .selectFrom('skill_usage_logs')
      .select(({ fn }) => fn.countAll().as('usage'))
      .executeTakeFirstOrThrow();
    if (Number(usage) !== calls.size) violated(round, `${calls.size} calls have ${usage} usage rows`);
    return { events: rows.length, recovered: recovered.length };
  } finally {
    await store.close();
  }
}

const began = performance.now();
const known = [];
let recovered = 0;
let events = 0;
try {
  for (let round = 1; round <= rounds; round++) {
    const acknowledged = await crash(round);
    const found = await examine(round, acknowledged, known);
    known.push(...acknowledged);
    recovered += found.recovered;
    events = found.events;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const seconds = ((performance.now() - began) / 1000).toFixed(1);
console.log(
  `${rounds} kills in ${seconds} s: ${known.length} events acknowledged, ${events} kept, ${recovered} calls ended by recovery`,
);
for (const violation of violations.slice(0, 50)) console.error(violation);
console.log(violations.length === 0 ? 'Nothing was lost.' : `${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
