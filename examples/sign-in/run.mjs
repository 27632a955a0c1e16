// A person signs in once; calls go out as that person, and go on when the token ends, until the person signs out. Exits 0 when all holds.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commandIn } from '../support/command.mjs';
import { startCalendar } from './calendar.mjs';

const calendar = await startCalendar();
const folder = await mkdtemp(join(tmpdir(), 'toolcrib-sign-in-'));
for (const file of ['toolcrib.yaml', 'calendar.yaml']) {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  await writeFile(join(folder, file), text.replaceAll('http://127.0.0.1:8792', calendar.url));
}
const { toolcribJson, overStdio } = commandIn(folder);
const listEvents = () => toolcribJson('call', 'calendar_listEvents');

try {
  // 1. Nobody has signed in yet: the call says what to do.
  const refused = await listEvents().catch((error) => error);
  assert.equal(refused.code, 77);
  assert.match(refused.stdout + refused.stderr, /toolcrib login calendar/);

  // 2. The command shows an address; the person opens it, agrees, and the browser comes back.
  const { command, args, cwd, env } = overStdio('login', 'calendar', '--no-browser');
  const login = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'pipe'] });
  const ended = once(login, 'exit');
  for await (const line of createInterface({ input: login.stderr })) {
    if (line.startsWith(`${calendar.url}/authorize?`)) {
      assert.equal(new URL(line).searchParams.get('scope'), 'events.read');
      assert.equal((await fetch(line)).status, 200);
    }
  }
  assert.deepEqual(await ended, [0, null]);

  // 3. The tokens are in the one file that the configuration names, for its owner alone.
  const file = join(folder, 'kept', 'calendar.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await listEvents()).structured.owner, 'you');

  // 4. The service forgets the token: it is renewed on the way, and what replaces it is kept.
  calendar.forget();
  assert.equal((await listEvents()).structured.owner, 'you');
  assert.equal((await listEvents()).structured.owner, 'you');
  assert.deepEqual(calendar.log, ['authorization_code', 'refresh_token']);

  // 5. Signing out ends the tokens at the provider, and removes the file.
  assert.deepEqual(await toolcribJson('logout', 'calendar'), {
    source: 'calendar',
    signedOut: true,
    revoked: true,
  });
  assert.deepEqual(calendar.log.slice(2), ['revoked', 'revoked']);
  await assert.rejects(stat(file));
  console.log('ok  sign-in: a person agrees once, in the browser; calls go out as that person');
} finally {
  calendar.close();
  await rm(folder, { recursive: true, force: true });
}
