import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newApiKey } from '../../../../src/principals/authentication/api-key.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import { type Browser, browserAt, refusal } from './browser.ts';
import { SERVER_TOKEN, sessionGateway } from './session-gateway.ts';

type SessionGateway = Awaited<ReturnType<typeof sessionGateway>>;
type User = Awaited<ReturnType<SessionGateway['user']>>;

const decisionOf = (id: string) => `/api/v1/approvals/${id}/decision`;
const APPROVE = { decision: 'approve' };
const signedIn = async (browser: Browser) => (await browser.get('/api/v1/session')).body.signedIn as boolean;

describe('by the token of the server', () => {
  let closed: SessionGateway;
  beforeAll(async () => {
    closed = await sessionGateway('token');
  });
  afterAll(() => closed[Symbol.asyncDispose]());

  test('without it nobody gets further than the question who is signed in', async () => {
    const browser = closed.browser();
    expect((await browser.get('/api/v1/session')).body).toMatchObject({
      mode: 'token',
      signedIn: false,
      can: { decide: false, operate: false, own: false, administer: false },
    });
    expect((await browser.get('/api/v1/session')).body).not.toHaveProperty('principal');
    expect(refusal(await browser.get('/api/v1/tools'))).toEqual([401, 'unauthorized']);
    expect(refusal(await browser.send('DELETE', '/api/v1/session'))).toEqual([401, 'unauthorized']);
  });

  test('a session may do what the token may, and decides nothing', async () => {
    const browser = closed.browser();
    expect((await browser.signIn({ token: SERVER_TOKEN })).body).toMatchObject({
      kind: 'token',
      principal: { id: 'token' },
      can: { decide: false, operate: true, own: false, administer: true },
    });
    const called = await browser.send('POST', '/api/v1/tools/count/call', { arguments: {} });
    expect(called.body.structured).toEqual({ items: 3 });
    const refused = await browser.send('POST', decisionOf(await closed.gated(SERVER_TOKEN)), APPROVE);
    expect(refusal(refused)).toEqual([403, 'approval_forbidden']);
    expect(refused.body.error.next).toContain('toolcrib console');
  });

  test('with the approver token added it decides, too', async () => {
    const browser = closed.browser();
    await browser.signIn({ token: SERVER_TOKEN });
    const wrong = await browser.send('POST', '/api/v1/session/approver', { token: SERVER_TOKEN });
    expect(refusal(wrong)).toEqual([403, 'approval_forbidden']);
    const added = await browser.send('POST', '/api/v1/session/approver', {
      token: await closed.approverToken(),
    });
    expect(added.body).toMatchObject({ kind: 'token', can: { decide: true, operate: true, own: false } });
    const decided = await browser.send('POST', decisionOf(await closed.gated(SERVER_TOKEN)), APPROVE);
    expect(decided.body).toMatchObject({ state: 'approved', decidedBy: 'approver', channel: 'console' });
  });

  test('by the approver token alone it does nothing else', async () => {
    const browser = closed.browser();
    const id = await closed.gated(SERVER_TOKEN);
    expect((await browser.signIn({ token: await closed.approverToken() })).body).toMatchObject({
      kind: 'approver',
      can: { decide: true, operate: false, own: false, administer: false },
    });
    expect(refusal(await browser.get('/api/v1/tools'))).toEqual([403, 'tool_forbidden']);
    expect((await browser.send('POST', decisionOf(id), APPROVE)).body.state).toBe('approved');
  });

  test('what only looks like the approver token opens no session and adds nothing to one', async () => {
    await using other = await sessionGateway('token');
    const token = `tca_${'A'.repeat(43)}`;
    const browser = other.browser();
    await browser.signIn({ token: SERVER_TOKEN });
    for (const made of [false, true]) {
      if (made) await other.approverToken();
      expect(refusal(await other.browser().signIn({ token }))).toEqual([401, 'unauthorized']);
      const added = await browser.send('POST', '/api/v1/session/approver', { token });
      expect(refusal(added)).toEqual([401, 'unauthorized']);
    }
  });

  test('a wrong one is unauthorized, and too many wrong ones are not even looked at', async () => {
    await using other = await sessionGateway('token');
    const answers = [];
    for (let tries = 0; tries < 12; tries++) {
      answers.push(refusal(await other.browser().signIn({ token: `${SERVER_TOKEN}x` })));
    }
    expect(answers[0]).toEqual([401, 'unauthorized']);
    expect(answers.at(-1)).toEqual([429, 'rate_limited']);
    expect(refusal(await other.browser().signIn({ token: SERVER_TOKEN }))).toEqual([429, 'rate_limited']);
    // nobody keeps the owner out
    expect(await signedIn(await other.owner())).toBe(true);
  });

  test('whoever fails on purpose keeps nobody out who has a key or the approver token', async () => {
    await using other = await sessionGateway('team');
    const { key } = await other.user('Bob');
    const attempt = (token: string) => other.browser().signIn({ token });
    const shapes = ['wrong', `tca_${'A'.repeat(43)}`, newApiKey()];
    const refused = [];
    for (let tries = 0; tries < 12; tries++) refused.push(...(await Promise.all(shapes.map(attempt))));
    expect(refused.slice(-3).map(refusal)).toEqual([
      [429, 'rate_limited'],
      [401, 'unauthorized'],
      [401, 'unauthorized'],
    ]);
    expect(refusal(await attempt(SERVER_TOKEN))).toEqual([429, 'rate_limited']);
    for (const token of [key, await other.approverToken()]) expect((await attempt(token)).status).toBe(200);
  });

  test('guesses of what nobody can guess keep nobody out either', async () => {
    await using other = await sessionGateway('team');
    for (let tries = 0; tries < 12; tries++) await other.browser().signIn({ token: newApiKey() });
    expect((await other.browser().signIn({ token: SERVER_TOKEN })).status).toBe(200);
  });

  test('nothing of it is written down in clear, and a new token ends the session', async () => {
    const browser = closed.browser();
    await browser.signIn({ token: SERVER_TOKEN });
    const store = await openStore(closed.gateway.configuration.store);
    const kept = JSON.stringify(await store.database.selectFrom('sessions').selectAll().execute());
    await store.close();
    expect(kept).toContain('"kind\\":\\"token\\"');
    for (const secret of [
      SERVER_TOKEN,
      await closed.approverToken(),
      ...browser.cookies.values(),
      browser.csrf,
    ]) {
      expect(kept).not.toContain(secret);
    }
    const changed = await closed.open('another-token-of-the-server');
    const there = browser.at(changed.url);
    expect(await signedIn(there)).toBe(false);
    const refused = await there.get('/api/v1/tools');
    expect([refusal(refused), refused.body.error.message]).toEqual([
      [401, 'unauthorized'],
      'The session has ended.',
    ]);
  });
});

test('by the approver token on an open gateway: everything as before, and it decides', async () => {
  await using open = await sessionGateway('open');
  const browser = open.browser();
  const refused = await browser.signIn({ token: 'whatever' });
  expect([refusal(refused), refused.body.error.message]).toEqual([
    [401, 'unauthorized'],
    'This gateway knows no keys: on this machine it is open.',
  ]);
  await browser.signIn({ token: await open.approverToken() });
  expect((await browser.get('/api/v1/session')).body).toMatchObject({
    kind: 'approver',
    can: { decide: true, operate: true, own: false },
  });
  expect((await browser.get('/api/v1/tools')).status).toBe(200);
  expect((await browser.send('POST', decisionOf(await open.gated()), APPROVE)).body.state).toBe('approved');
  // a new approver token ends it
  await writeFile(join(open.folder, 'approver-token'), `tca_${'B'.repeat(43)}\n`);
  expect(await signedIn(browser)).toBe(false);
});

describe('in a team', () => {
  let team: SessionGateway;
  let ben: User;
  let eve: User;
  beforeAll(async () => {
    team = await sessionGateway('team');
    ben = await team.user('Ben', ['admin']);
    eve = await team.user('Eve');
  });
  afterAll(() => team[Symbol.asyncDispose]());

  const signInAs = async (token: string) => {
    const browser = team.browser();
    const { status, body } = await browser.signIn({ token });
    expect([status, body.signedIn]).toEqual([200, true]);
    return browser;
  };

  test("a user's key: what the key may do, by name and role", async () => {
    const browser = await signInAs(team.annKey);
    expect((await browser.get('/api/v1/session')).body).toMatchObject({
      mode: 'team',
      kind: 'user',
      principal: { kind: 'user', name: 'Ann', roles: ['admin'] },
      can: { decide: false, operate: false, own: false, administer: true },
    });
    expect((await browser.get('/api/v1/keys')).status).toBe(200);
    expect(refusal(await browser.get('/api/v1/catalog/report'))).toEqual([403, 'admin_needed']);
    expect((await (await signInAs(eve.key)).get('/api/v1/session')).body.can.administer).toBe(false);
  });

  test('whether the user is one of those who decide, whatever the session holds', async () => {
    const approverOf = async (token: string) =>
      (await (await signInAs(token)).get('/api/v1/session')).body.approver;
    expect(await approverOf(team.annKey)).toEqual({ is: true, roles: ['admin'] });
    expect(await approverOf(ben.approverKey)).toEqual({ is: true, roles: ['admin'] });
    expect(await approverOf(eve.key)).toEqual({ is: false, roles: ['admin'] });
    expect(await approverOf(SERVER_TOKEN)).toBeUndefined();
    expect((await team.browser().get('/api/v1/session')).body).not.toHaveProperty('approver');
  });

  test('the operator by the token of the server', async () => {
    expect((await (await signInAs(SERVER_TOKEN)).get('/api/v1/session')).body.can.operate).toBe(true);
  });

  test('a key that decides: as that user, and nothing else', async () => {
    const browser = await signInAs(ben.approverKey);
    expect((await browser.get('/api/v1/session')).body).toMatchObject({
      kind: 'approver',
      can: { decide: true, operate: false, administer: false },
    });
    expect(refusal(await browser.send('POST', '/api/v1/tools/count/call', { arguments: {} }))).toEqual([
      403,
      'tool_forbidden',
    ]);
    const decided = await browser.send('POST', decisionOf(await team.gated(eve.key)), APPROVE);
    expect(decided.body).toMatchObject({ state: 'approved', decidedBy: ben.id, channel: 'console' });
  });

  test('a key that calls decides only with one that decides, of the same user', async () => {
    const browser = await signInAs(ben.key);
    const id = await team.gated(eve.key);
    const refused = await browser.send('POST', decisionOf(id), APPROVE);
    expect(refusal(refused)).toEqual([403, 'approval_forbidden']);
    expect(refused.body.error.next).toContain('made for deciding');
    for (const token of [eve.approverKey, ben.key, eve.key, SERVER_TOKEN, await team.approverToken()]) {
      const added = await browser.send('POST', '/api/v1/session/approver', { token });
      expect(refusal(added)).toEqual([403, 'approval_forbidden']);
    }
    expect(refusal(await browser.send('POST', '/api/v1/session/approver', { token: 'x' }))).toEqual([
      401,
      'unauthorized',
    ]);
    const unshown = { 'x-csrf-token': undefined };
    const forged = await browser.send(
      'POST',
      '/api/v1/session/approver',
      { token: ben.approverKey },
      unshown,
    );
    expect(refusal(forged)).toEqual([403, 'csrf_refused']);
    expect(refusal(await browser.send('POST', decisionOf(id), APPROVE))[1]).toBe('approval_forbidden');

    const added = await browser.send('POST', '/api/v1/session/approver', { token: ben.approverKey });
    expect(added.body).toMatchObject({ kind: 'user', can: { decide: true } });
    const log = await team.as(team.annKey)('GET', '/api/v1/events?type=session-opened');
    expect(log.body.events.at(-1)).toMatchObject({ principal: ben.id, change: 'may decide approvals' });
    const link = await browser.send('POST', `/api/v1/approvals/${id}/link`, {});
    expect([link.status, link.body.url]).toEqual([200, expect.stringContaining('/approve/')]);
    expect((await browser.send('POST', decisionOf(id), APPROVE)).body).toMatchObject({ decidedBy: ben.id });
    // and still calls tools
    const called = await browser.send('POST', '/api/v1/tools/count/call', { arguments: {} });
    expect(called.body.structured).toEqual({ items: 3 });
    // but never decides its own calls
    expect(refusal(await browser.send('POST', decisionOf(await team.gated(ben.key)), APPROVE))).toEqual([
      403,
      'approval_forbidden',
    ]);
  });

  test('without a session there is none to add to', async () => {
    const added = await team.as(ben.key)('POST', '/api/v1/session/approver', { token: ben.approverKey });
    expect([added.status, added.body.error.code]).toEqual([401, 'unauthorized']);
  });

  test('a revoked key ends the session at the next request, on every process', async () => {
    const mia = await team.user('Mia');
    const browser = await signInAs(mia.key);
    const elsewhere = browser.at((await team.open()).url);
    expect([await signedIn(browser), await signedIn(elsewhere)]).toEqual([true, true]);
    expect((await team.as(team.annKey)('DELETE', `/api/v1/keys/${mia.keyId}`)).status).toBe(200);
    expect([await signedIn(elsewhere), await signedIn(browser)]).toEqual([false, false]);
    expect((await browser.get('/api/v1/tools')).body.error.message).toBe('The session has ended.');
  });

  test('a revoked key that decides leaves the session without it', async () => {
    const max = await team.user('Max', ['admin']);
    const browser = await signInAs(max.key);
    await browser.send('POST', '/api/v1/session/approver', { token: max.approverKey });
    expect((await browser.get('/api/v1/session')).body.can.decide).toBe(true);
    await team.as(team.annKey)('DELETE', `/api/v1/keys/${max.approverKeyId}`);
    expect((await browser.get('/api/v1/session')).body).toMatchObject({
      signedIn: true,
      can: { decide: false },
    });
  });

  test('who is no approver any more is told so, and again once they are', async () => {
    const ada = await team.user('Ada', ['admin']);
    const roles = (held: readonly string[]) =>
      team.as(SERVER_TOKEN)('PATCH', `/api/v1/users/${ada.id}`, { roles: held });
    const alone = await signInAs(ada.approverKey);
    const both = await signInAs(ada.key);
    await both.send('POST', '/api/v1/session/approver', { token: ada.approverKey });
    const decide = () =>
      Promise.all(
        [alone, both].map(async (browser) => (await browser.get('/api/v1/session')).body.can.decide),
      );
    expect(await decide()).toEqual([true, true]);
    await roles([]);
    expect(await decide()).toEqual([false, false]);
    // a decision is refused as well: the call is the organisation's, which approvers alone see
    const refused = await alone.send('POST', decisionOf(await team.gated(eve.key)), APPROVE);
    expect(refusal(refused)).toEqual([404, 'approval_unknown']);
    await roles(['admin']);
    expect(await decide()).toEqual([true, true]);
  });

  test('a disabled user is out', async () => {
    const tom = await team.user('Tom');
    const browser = await signInAs(tom.key);
    await team.as(SERVER_TOKEN)('PATCH', `/api/v1/users/${tom.id}`, { status: 'disabled' });
    expect(await signedIn(browser)).toBe(false);
  });

  test("the machine's owner signs in here, too", async () => {
    const browser = await team.owner();
    expect((await browser.get('/api/v1/session')).body).toMatchObject({ kind: 'owner', can: { own: true } });
    expect((await browser.get('/api/v1/orgs')).body.organisations).toHaveLength(1);
    const decided = await browser.send('POST', decisionOf(await team.gated(eve.key)), APPROVE);
    expect(decided.body).toMatchObject({ state: 'approved', decidedBy: 'owner' });
  });

  test('who signed in stands in the log of the organisation, and admins read it', async () => {
    await signInAs(eve.key);
    const path = '/api/v1/events?type=session-opened';
    const shown = (await team.as(team.annKey)('GET', path)).body.events;
    expect(shown.at(-1)).toMatchObject({ principal: eve.id, change: 'user signed in' });
    expect(shown.every(({ organisation }: { organisation: string }) => organisation !== '')).toBe(true);
  });
});

describe('several processes of one store', () => {
  test('know each other’s sessions, ends included; a code is used by one of them', async () => {
    await using closed = await sessionGateway('token');
    const second = await closed.open();
    const browser = await closed.owner();
    const there = browser.at(second.url);
    expect(await signedIn(there)).toBe(true);
    const code = await closed.codes.create();
    const both = await Promise.all([
      closed.browser().signIn({ code }),
      browserAt(second.url).signIn({ code }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    await browser.send('DELETE', '/api/v1/session');
    expect(await signedIn(there)).toBe(false);
  });

  test('a restart keeps them', async () => {
    await using closed = await sessionGateway('token');
    const browser = await closed.owner();
    await closed.gateway.close();
    expect(await signedIn(browser.at((await closed.open()).url))).toBe(true);
  });

  test('without a store they are those of one process, and the code still of all', async () => {
    await using closed = await sessionGateway('token', { store: 'none' });
    const browser = await closed.owner();
    expect(await signedIn(browser)).toBe(true);
    expect(await signedIn(browser.at((await closed.open()).url))).toBe(false);
  });
});

describe('a tool of the own API', () => {
  test('opens and changes no session, however it is asked', async () => {
    await using open = await sessionGateway('open', { sources: { own: { self: {} } } });
    const { tools } = (await open.as(undefined)('GET', '/api/v1/tools')).body;
    const names: string[] = tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('own_getSession');
    expect(names.filter((name) => /openSession|closeSession|addSessionApprover/.test(name))).toEqual([]);
    const called = await open.as(undefined)('POST', '/api/v1/tools/own_openSession/call', { arguments: {} });
    expect([called.status, called.body.error.code]).toEqual([404, 'tool_unknown']);
    // what it may read is what its caller is, never a browser's session
    const read = await open.as(undefined)('POST', '/api/v1/tools/own_getSession/call', { arguments: {} });
    expect(read.body.structured).toMatchObject({ signedIn: false, can: { decide: false, own: false } });
    const browser = await open.owner();
    const asOwner = await browser.send('POST', '/api/v1/tools/own_getSession/call', { arguments: {} });
    expect(asOwner.body.structured).toMatchObject({ signedIn: false, can: { decide: false, own: false } });
    expect(asOwner.body.structured).not.toHaveProperty('csrf');
  });
});
