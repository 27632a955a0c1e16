import { createHash, randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStoreSessions } from '../../../src/principals/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { type Browser, refusal } from '../../server/http/sessions/browser.ts';
import { SERVER_TOKEN, sessionGateway } from '../../server/http/sessions/session-gateway.ts';

const APPROVE = { decision: 'approve' };
const signedIn = async (browser: Browser) => (await browser.get('/api/v1/session')).body.signedIn as boolean;

describe('a session that somebody else knows', () => {
  test.each(['token', 'team'] as const)(
    'decides nothing once a person adds the credential that decides (%s)',
    async (mode) => {
      await using gateway = await sessionGateway(mode);
      const ben = mode === 'team' ? await gateway.user('Ben', ['admin']) : undefined;
      const calling = ben?.key ?? SERVER_TOKEN;
      // whoever calls tools signs in, and a server of theirs on another port puts the cookie into the person's browser
      const model = gateway.browser();
      await model.signIn({ token: calling });
      const person = gateway.browser();
      for (const [name, value] of model.cookies) person.cookies.set(name, value);
      const { csrf } = (await person.get('/api/v1/session')).body;

      const token = ben?.approverKey ?? (await gateway.approverToken());
      const headers = { 'x-csrf-token': csrf as string };
      const added = await person.send('POST', '/api/v1/session/approver', { token }, headers);
      expect(added.body.can.decide).toBe(true);

      const id = await gateway.gated(mode === 'team' ? (await gateway.user('Eve')).key : calling);
      const decision = `/api/v1/approvals/${id}/decision`;
      expect(await signedIn(model)).toBe(false);
      expect((await model.send('POST', decision, APPROVE)).status).toBe(401);
      expect((await person.send('POST', decision, APPROVE)).body.state).toBe('approved');
    },
  );

  test('goes on for the person: same end, same tools, and signing out ends it', async () => {
    await using closed = await sessionGateway('token');
    const person = closed.browser();
    const before = await person.signIn({ token: SERVER_TOKEN });
    const after = await person.send('POST', '/api/v1/session/approver', {
      token: await closed.approverToken(),
    });
    expect(after.body.expiresAt).toBe(before.body.expiresAt);
    expect(after.body.csrf).not.toBe(before.body.csrf);
    const owner = await closed.owner();
    expect((await owner.get('/api/v1/sessions')).body.sessions).toHaveLength(2);
    expect((await person.get('/api/v1/tools')).status).toBe(200);
    expect((await person.send('DELETE', '/api/v1/session')).status).toBe(204);
    expect((await owner.get('/api/v1/sessions')).body.sessions).toHaveLength(1);
  });
});

describe('the owner of a machine', () => {
  test('is nobody whom another process of the store writes into it', async () => {
    await using closed = await sessionGateway('token');
    const store = await openStore(closed.gateway.configuration.store);
    const secret = randomBytes(32).toString('base64url');
    const now = Date.now();
    for (const credential of ['{"kind":"owner"}', '{"kind":"owner","proof":"x"}']) {
      const row = { credential, approver: null, created_at: now, used_at: now };
      const id = createHash('sha256').update(secret).digest('hex');
      await store.database
        .insertInto('sessions')
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
      const forged = closed.browser();
      forged.cookies.set(`toolcrib_session_${new URL(closed.url).port}`, secret);
      expect(await signedIn(forged)).toBe(false);
      expect(refusal(await forged.get('/api/v1/sessions'))).toEqual([401, 'unauthorized']);
    }
    await store.close();
  });

  test('of one machine is not the owner of another that keeps its sessions in the same store', async () => {
    await using closed = await sessionGateway('token');
    await using other = await sessionGateway('token', { store: closed.gateway.configuration.store });
    const here = await closed.owner();
    const there = here.at(other.url);
    expect([await signedIn(here), await signedIn(there), await signedIn(here)]).toEqual([true, false, true]);
  });

  test('has no session any more when the key of the machine is taken away', async () => {
    await using open = await sessionGateway('open');
    const owner = await open.owner();
    const key = join(open.folder, 'session-key');
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    await rm(key);
    expect(await signedIn(owner)).toBe(false);
    expect(await signedIn(await open.owner())).toBe(true);
  });
});

test('whoever signs in over and over fills neither the store nor the list of the owner', async () => {
  await using closed = await sessionGateway('token');
  const owner = await closed.owner();
  for (let tries = 0; tries < 105; tries++) await closed.browser().signIn({ token: SERVER_TOKEN });
  expect((await owner.get('/api/v1/sessions')).body.sessions).toHaveLength(101);
  const store = await openStore(closed.gateway.configuration.store);
  const kept = await createStoreSessions(store).list({ createdAfter: 0, usedAfter: 0 });
  await store.close();
  expect(kept.filter(({ credential }) => credential.kind === 'token')).toHaveLength(100);
  expect(await signedIn(owner)).toBe(true);
});
