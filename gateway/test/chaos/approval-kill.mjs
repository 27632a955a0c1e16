// Approvals and crashes, for CI: kills processes that use approvals at random moments, two at a time on one store.
// node test/chaos/approval-kill.mjs [ROUNDS] [ADDRESS]; without an address, a SQLite file of its own. Exits 1 when an
// approval was used twice, or a use was forgotten.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src/store/open-store.ts';

const rounds = Number(process.argv[2] ?? 30);
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-approval-chaos-'));
const address = process.argv[3] ?? `sqlite:${join(folder, 'toolcrib.db')}`;
const approver = fileURLToPath(new URL('approver.mjs', import.meta.url));
const violations = [];
const violated = (round, what) => violations.push(`round ${round}: ${what}`);

/** Every approval that the child began to carry out. */
async function crash(round, number) {
  const file = join(folder, `used-${round}-${number}`);
  const child = spawn(process.execPath, [approver, address, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let complained = '';
  child.stderr.on('data', (chunk) => {
    complained += chunk;
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  setTimeout(() => child.kill('SIGKILL'), 50 + Math.random() * 300);
  const [, signal] = await ended;
  if (signal !== 'SIGKILL') violated(round, `the child ended by itself: ${complained}`);
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

const began = performance.now();
const uses = new Map();
let approved = 0;
try {
  const store = await openStore(address);
  for (let round = 1; round <= rounds; round++) {
    const used = (await Promise.all([crash(round, 1), crash(round, 2)])).flat();
    for (const id of used) {
      uses.set(id, (uses.get(id) ?? 0) + 1);
      if (uses.get(id) > 1) violated(round, `approval ${id} was used ${uses.get(id)} times`);
    }
  }
  const rows = await store.database.selectFrom('approvals').select(['id', 'state', 'used_call']).execute();
  approved = rows.filter(({ state }) => state !== 'pending').length;
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  for (const id of uses.keys()) {
    if (!['executing', 'executed', 'failed'].includes(states.get(id))) {
      violated(rounds, `approval ${id} was used and is ${states.get(id)}`);
    }
  }
  await store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const seconds = ((performance.now() - began) / 1000).toFixed(1);
console.log(`${2 * rounds} kills in ${seconds} s: ${approved} approvals, ${uses.size} used`);
for (const violation of violations.slice(0, 50)) console.error(violation);
if (uses.size === 0) violations.push('nothing was used');
console.log(violations.length === 0 ? 'None was used twice.' : `${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
