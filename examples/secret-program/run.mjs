// A program prints the token: one run for all calls, another after a 401, and its words where it fails. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { commandIn } from '../support/command.mjs';
import { startDepot } from './depot.mjs';

const depot = await startDepot();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-secret-program-'));
for (const file of ['toolcrib.yaml', 'depot.yaml', 'token.mjs']) {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  await writeFile(join(folder, file), text.replaceAll('http://127.0.0.1:8795', depot.url));
}

// the program is found in the PATH of the gateway
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
const { serve, toolcrib } = commandIn(folder, { DEPOT: depot.url, PATH });

try {
  const gateway = await serve();
  const call = () => gateway.call('depot_listBoxes');
  try {
    // 1. Calls at the same time, and the next one, share what the program printed.
    for (const { structured } of [...(await Promise.all([call(), call(), call()])), await call()])
      assert.deepEqual(structured, { boxes: ['B1', 'B2'] });
    assert.deepEqual([depot.given, depot.refused], [1, 0]);

    // 2. The service withdraws the token: the same call goes on with a fresh one.
    depot.withdraw();
    assert.deepEqual((await call()).structured, { boxes: ['B1', 'B2'] });
    assert.deepEqual([depot.given, depot.refused], [2, 1]);

    // 3. The program fails: the call says why, in the program's words, and nothing is sent.
    depot.withdraw();
    depot.open = false;
    await call();
    const failed = JSON.stringify(await call());
    assert.match(failed, /credentials_missing/);
    assert.match(failed, /ended with code 3: Your session has ended: sign in again\./);
    assert.doesNotMatch(failed, /depot-/);
    assert.deepEqual([depot.given, depot.refused], [2, 2]);
  } finally {
    await gateway.stop();
  }

  // 4. The same without a file of configuration.
  depot.open = true;
  const words = ['--spec', 'depot.yaml', '--allow-private', '127.0.0.1'];
  const said = await toolcrib('call', 'listBoxes', ...words, '--auth', 'bearer=command:node token.mjs');
  assert.match(said, /B1/);
  assert.equal(depot.given, 3);
  console.log('ok  secret-program: one run for all calls, another after a 401, and its words where it fails');
} finally {
  depot.close();
  await rm(folder, { recursive: true, force: true });
}
