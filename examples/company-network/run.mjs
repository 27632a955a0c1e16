// A service behind a company's proxy that asks for a client certificate. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandIn } from '../support/command.mjs';
import { startNetwork } from './network.mjs';

const network = await startNetwork();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-company-network-'));
for (const part of ['toolcrib.yaml', 'bank.yaml', 'certificates']) {
  await cp(join(import.meta.dirname, part), join(folder, part), { recursive: true });
}

try {
  // 1. Without the proxy's address nothing starts: a way out is not guessed.
  const { toolcribJson: without } = commandIn(folder);
  const refused = await without('call', 'bank_listAccounts').catch((error) => error);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stdout + refused.stderr, /COMPANY_PROXY/);
  assert.deepEqual(network.asked, []);

  // 2. Through it, with the certificate, the bank answers.
  const { toolcribJson } = commandIn(folder, { COMPANY_PROXY: network.proxyUrl });
  const { structured } = await toolcribJson('call', 'bank_listAccounts');
  assert.equal(structured.client, 'toolcrib-example');
  assert.deepEqual(network.asked, ['bank.example:443']);

  // 3. Doctor says which way leads out and until when the certificate is valid, and shows no password.
  const findings = JSON.stringify(await toolcribJson('doctor').catch(({ stdout }) => JSON.parse(stdout)));
  assert.match(findings, /reached through 127\.0\.0\.1:\d+, which resolves their names/);
  assert.match(findings, /the client certificate is valid until 21\d\d/);
  assert.doesNotMatch(findings, /let(%20| )me/);
  console.log(
    'ok  company-network: through the proxy, with a client certificate, and nobody else sees either',
  );
} finally {
  network.close();
  await rm(folder, { recursive: true, force: true });
}
