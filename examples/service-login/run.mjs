// Calls share one login, and go on when the service forgets it; a wrong password is tried once. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandIn } from '../support/command.mjs';
import { startWarehouse } from './warehouse.mjs';

const warehouse = await startWarehouse();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-service-login-'));
for (const file of ['toolcrib.yaml', 'warehouse.yaml']) {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  await writeFile(join(folder, file), text.replaceAll('http://127.0.0.1:8793', warehouse.url));
}

/** Calls over the HTTP API of a gateway that knows this password. */
async function withPassword(password, work) {
  const gateway = await commandIn(folder, { WAREHOUSE_PASSWORD: password }).serve();
  const call = () => gateway.call('warehouse_listShelves');
  try {
    await work(call);
  } finally {
    await gateway.stop();
  }
}

try {
  // 1. Without a password the call says what is missing, and nobody is asked.
  const { toolcribJson } = commandIn(folder);
  const missing = await toolcribJson('call', 'warehouse_listShelves').catch((error) => error);
  assert.equal(missing.code, 77);
  assert.match(missing.stdout + missing.stderr, /WAREHOUSE_PASSWORD/);
  assert.deepEqual(warehouse.log, []);

  // 2. Calls at the same time share one login.
  await withPassword('sesame', async (call) => {
    const answers = await Promise.all([call(), call(), call()]);
    for (const { structured } of answers) assert.equal(structured.clerk, 'clerk');
    assert.deepEqual(warehouse.log, ['right']);

    // 3. The service is started anew and knows nobody: the next call logs in again.
    warehouse.forget();
    assert.deepEqual((await call()).structured.shelves, ['A1', 'A2']);
    assert.deepEqual(warehouse.log, ['right', 'right']);
  });

  // 4. A wrong password is tried once, however many calls come.
  await withPassword('open', async (call) => {
    for (const answer of [await call(), await call()]) {
      assert.match(JSON.stringify(answer), /credentials_refused/);
      assert.match(JSON.stringify(answer), /Wrong name or password/);
    }
    assert.deepEqual(warehouse.log, ['right', 'right', 'wrong']);
  });
  console.log('ok  service-login: calls share a login, and a wrong password is tried once');
} finally {
  warehouse.close();
  await rm(folder, { recursive: true, force: true });
}
