import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import {
  createAuthenticator,
  createKnownOrganisations,
  createStoredGrants,
  type SignInSettings,
} from '../../../src/principals/index.ts';
import type { Store } from '../../../src/store/store.ts';
import { onSqlite } from '../sqlite.ts';
import { ADA, createTeam, OPERATOR, SOURCES, START, type Team } from '../team.ts';

const DAY = 86_400_000;
const signal = () => AbortSignal.timeout(10_000);
const unauthorized = (message: RegExp) => ({ code: 'unauthorized', message: expect.stringMatching(message) });

const stores = onSqlite();

describe('API keys', () => {
  const setUp = async () => {
    const team = await createTeam(await stores.open());
    const authenticator = createAuthenticator({ store: team.store, now: () => team.clock.now });
    const { key, record } = await team.directory.keys.create(ADA, {
      user: 'ben',
      name: 'k',
      maxAccess: 'write',
      sources: ['greenhouse'],
    });
    const signIn = (bearer = key) => authenticator.authenticate(bearer, signal());
    return { ...team, key, record, signIn };
  };

  it('stand for their user, with what they allow at most', async () => {
    const { record, signIn } = await setUp();
    const principal = await signIn();
    expect(principal).toEqual({
      id: 'ben',
      kind: 'user',
      maxAccess: 'write',
      roles: [],
      organisation: 'acme',
      key: record.id,
      sources: ['greenhouse'],
      expiresAt: START + 90 * DAY,
    });
    expect(await signIn()).toBe(principal);
  });

  it.each<[string, (team: Team & { record: { id: string } }) => unknown, RegExp]>([
    ['revoked', ({ directory, record }) => directory.keys.revoke(ADA, record.id), /revoked/],
    ['expired', ({ clock }) => (clock.now = START + 90 * DAY), /expired/],
    [
      'of a disabled user',
      ({ directory }) => directory.users.update(ADA, 'ben', { status: 'disabled' }),
      /disabled/,
    ],
    ['of a user who is gone', ({ directory }) => directory.users.remove(ADA, 'ben'), /not known/],
    [
      'of a user who moved',
      ({ directory }) => directory.users.update(OPERATOR, 'ben', { organisation: 'rival' }),
      /not known/,
    ],
    [
      'of an organisation that is gone',
      ({ directory }) => directory.organisations.remove(OPERATOR, 'acme'),
      /not known/,
    ],
  ])('%s: unauthorized, at the next request', async (_, change, message) => {
    const team = await setUp();
    await team.signIn();
    await change(team);
    await expect(team.signIn()).rejects.toMatchObject(unauthorized(message));
  });

  it('a change of another process is in force at once', async () => {
    const team = await setUp();
    await team.signIn();
    const elsewhere = await stores.open();
    await elsewhere.change(['organisation:acme'], (transaction) =>
      transaction.updateTable('api_keys').set({ revoked_at: 1 }).execute(),
    );
    await expect(team.signIn()).rejects.toMatchObject(unauthorized(/revoked/));
  });

  it('a change of the organisation that does not concern the key leaves its principal as it is', async () => {
    const { directory, signIn } = await setUp();
    const principal = await signIn();
    await directory.levels.set(ADA, { scope: 'category:ats', level: 'disabled' });
    await directory.users.update(ADA, 'ada', { name: 'Ada L.' });
    expect(await signIn()).toBe(principal);
  });

  it.each([
    ['max_access', { max_access: 'read' }, { maxAccess: 'read' }],
    ['sources', { sources: '["zoho"]' }, { sources: ['zoho'] }],
    ['expires_at', { expires_at: START + DAY }, { expiresAt: START + DAY }],
    ['user', { user_id: 'ada' }, { id: 'ada' }],
    ['purpose', { purpose: 'approve' }, { purpose: 'approve', sources: [], decides: ['greenhouse'] }],
  ])('a key whose %s was changed stands for what it says now', async (_, columns, expected) => {
    const { store, signIn } = await setUp();
    await signIn();
    await store.change(['organisation:acme'], (transaction) =>
      transaction.updateTable('api_keys').set(columns).execute(),
    );
    expect(await signIn()).toMatchObject(expected);
  });

  it('a key that was replaced by another is not known any more', async () => {
    const { store, signIn } = await setUp();
    await signIn();
    await store.change(['organisation:acme'], (transaction) =>
      transaction
        .updateTable('api_keys')
        .set({ hash: 'f'.repeat(64) })
        .where('name', '=', 'k')
        .execute(),
    );
    await expect(signIn()).rejects.toMatchObject(unauthorized(/not known/));
  });

  it('what its user may do is known with it, as of now', async () => {
    const { store, clock, directory, key } = await setUp();
    const organisations = createKnownOrganisations(store);
    const authenticator = createAuthenticator({ store, organisations, now: () => clock.now });
    const grants = createStoredGrants({
      store,
      organisations,
      sources: () => SOURCES,
      tools: 'dynamic',
      now: () => clock.now,
    });
    const level = async () => grants.known(await authenticator.authenticate(key, signal())).source('weather');
    expect(await level()).toMatchObject({ admin: 'read-only' });
    for (const admin of ['disabled', 'read-write', 'disabled'] as const) {
      await directory.levels.set(ADA, { scope: 'source:weather', level: admin });
      expect(await level()).toMatchObject({ admin });
    }
  });

  it('a user who belongs to another organisation than the key is refused', async () => {
    const team = await setUp();
    await team.store.change(['organisation:acme'], (transaction) =>
      transaction.updateTable('users').set({ organisation_id: 'rival' }).where('id', '=', 'ben').execute(),
    );
    await expect(team.signIn()).rejects.toMatchObject(unauthorized(/left/));
  });

  it.each([
    [{ max_access: 'everything' }],
    [{ max_access: 'dangerous' }],
    [{ max_access: '' }],
    [{ sources: '{"greenhouse":true}' }],
    [{ sources: 'not JSON' }],
    [{ sources: '[1]' }],
  ])('a record that was broken to %j is refused, not widened', async (broken) => {
    const team = await setUp();
    await team.store.change(['organisation:acme'], (transaction) =>
      transaction.updateTable('api_keys').set(broken).execute(),
    );
    await expect(team.signIn()).rejects.toMatchObject(unauthorized(/cannot be read/));
  });

  it.each(['', 'x', 'tck_', `tck_${'a'.repeat(49)}`, 'a.b.c', 'y'.repeat(20_000)])(
    '%s is unauthorized',
    async (bearer) => {
      await expect((await setUp()).signIn(bearer)).rejects.toMatchObject({ code: 'unauthorized' });
    },
  );

  it('one that was cut or mistyped is told so, before the store is asked', async () => {
    const { key, signIn, store } = await setUp();
    await store.close();
    for (const bearer of [key.slice(0, -1), key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))])
      await expect(signIn(bearer)).rejects.toMatchObject(unauthorized(/not complete/));
  });

  it('are found again by what is kept of them, as they are now', async () => {
    const { directory, record, key, store, clock } = await setUp();
    const authenticator = createAuthenticator({ store, now: () => clock.now });
    const { principal, reference } = await authenticator.refer(key, signal());
    expect(reference).toEqual({ kind: 'key', id: record.id });
    expect(principal).toEqual(await authenticator.authenticate(key, signal()));
    expect(await authenticator.again(reference)).toEqual(principal);
    await expect(authenticator.again({ kind: 'key', id: `${record.id}0` })).rejects.toMatchObject(
      unauthorized(/not known/),
    );
    await directory.keys.revoke(ADA, record.id);
    await expect(authenticator.again(reference)).rejects.toMatchObject(unauthorized(/revoked/));
    await expect(authenticator.refer(key, signal())).rejects.toMatchObject(unauthorized(/revoked/));
  });

  it('are good again by their reference only while somebody can be asked', async () => {
    const { key, store, clock } = await setUp();
    const { reference } = await createAuthenticator({ store }).refer(key, signal());
    const gone = new ToolcribError('store_unavailable', 'gone');
    const broken: Store = { ...store, revision: () => Promise.reject(gone) };
    const authenticator = createAuthenticator({ store: broken, now: () => clock.now });
    await expect(authenticator.again(reference)).rejects.toBe(gone);
  });

  it('no message says a key', async () => {
    const { directory, record, signIn, key } = await setUp();
    await directory.keys.revoke(ADA, record.id);
    const error = await signIn().catch((caught: Error) => caught);
    expect(String((error as Error).message)).not.toContain(key.slice(4, 20));
  });
});

describe('sign-in tokens', () => {
  let issuer: Issuer;
  let team: Team;
  let settings: SignInSettings;
  beforeAll(async () => {
    issuer = await startIssuer();
  });
  afterAll(() => issuer.close());
  afterEach(() => void vi.useRealTimers());
  beforeEach(async () => {
    team = await createTeam(await stores.open());
    issuer.requests = 0;
    issuer.failing = false;
    await issuer.useKeys('first');
    settings = {
      issuer: issuer.url,
      audience: ['toolcrib'],
      jwksUrl: `${issuer.url}/jwks.json`,
      claims: { user: 'sub', organisation: 'org_id', roles: 'roles' },
      cooldownMs: 0,
    };
  });
  const authenticator = (store: Store = team.store, more: Partial<SignInSettings> = {}) =>
    createAuthenticator({
      store,
      jwt: { ...settings, ...more },
      fetch: (url, given) => fetch(url, { signal: given }),
      now: () => team.clock.now,
    });

  it('are good again by what they said, until they expire, are of another issuer, or the user is out', async () => {
    const token = await issuer.sign({ sub: 'idp|ben', org_id: 'acme', roles: ['recruiter'] });
    const { principal, reference } = await authenticator().refer(token, signal());
    expect(JSON.stringify(reference)).not.toContain(token.split('.')[2]);
    expect(reference).toMatchObject({ kind: 'sign-in', subject: 'idp|ben', organisation: 'acme' });
    expect(await authenticator().again(reference)).toEqual(principal);
    await expect(
      authenticator(team.store, { issuer: 'http://other' }).again(reference),
    ).rejects.toMatchObject(unauthorized(/issuer/));
    await expect(createAuthenticator({ store: team.store }).again(reference)).rejects.toMatchObject(
      unauthorized(/issuer/),
    );
    team.clock.now = principal.expiresAt! - 1;
    expect(await authenticator().again(reference)).toEqual(principal);
    team.clock.now = principal.expiresAt!;
    await expect(authenticator().again(reference)).rejects.toMatchObject(unauthorized(/expired/));
    team.clock.now = START;
    await team.directory.users.update(ADA, 'ben', { status: 'disabled' });
    await expect(authenticator().again(reference)).rejects.toMatchObject(unauthorized(/disabled/));
  });

  it('are not good again once their user is of another organisation than they name', async () => {
    const token = await issuer.sign({ sub: 'idp|ben', org_id: 'acme' });
    const { reference } = await authenticator().refer(token, signal());
    await team.directory.users.update(OPERATOR, 'ben', { organisation: 'rival' });
    await expect(authenticator().again(reference)).rejects.toMatchObject(unauthorized(/does not belong to/));
  });

  it('stand for the user of their subject', async () => {
    const token = await issuer.sign({ sub: 'idp|ben', org_id: 'acme', roles: ['recruiter'] });
    expect(await authenticator().authenticate(token, signal())).toEqual({
      id: 'ben',
      kind: 'user',
      maxAccess: 'delete',
      roles: ['recruiter'],
      organisation: 'acme',
      expiresAt: START + 600_000 + 5000,
    });
  });

  it('end at the last moment there is where they say a later one', async () => {
    const token = await issuer.sign({ sub: 'idp|ben' }, { expires: 9e18 });
    const { expiresAt } = await authenticator().authenticate(token, signal());
    expect(new Date(expiresAt!).getTime()).toBe(8.64e15);
  });

  it('claims have the names that the configuration gives', async () => {
    const claims = { user: 'uid', organisation: 'tenant', roles: 'groups' };
    const token = await issuer.sign({ uid: 'idp|ben', tenant: 'acme', groups: ['a'] });
    expect(await authenticator(team.store, { claims }).authenticate(token, signal())).toMatchObject({
      id: 'ben',
      roles: ['a'],
    });
  });

  it('the keys are fetched once', async () => {
    const one = authenticator();
    const token = await issuer.sign({ sub: 'idp|ben' });
    await Promise.all([1, 2, 3].map(() => one.authenticate(token, signal())));
    await one.authenticate(token, signal());
    expect(issuer.requests).toBe(1);
  });

  it('the keys are where the issuer says, asked each time they are fetched; else at the usual place', async () => {
    const asked: string[] = [];
    let where: string | undefined = `${issuer.url}/realm/keys`;
    const { jwksUrl: _, ...undecided } = settings;
    const one = createAuthenticator({
      store: team.store,
      jwt: { ...undecided, issuer: issuer.url },
      fetch: (url, given) => {
        asked.push(new URL(url).pathname);
        return fetch(url, { signal: given });
      },
      discover: async (of) => {
        expect(of).toBe(issuer.url);
        return where;
      },
      now: () => team.clock.now,
    });
    await one.authenticate(await issuer.sign({ sub: 'idp|ben' }), signal());
    where = undefined;
    await issuer.useKeys('second');
    await one.authenticate(await issuer.sign({ sub: 'idp|ben' }), signal());
    expect(asked).toEqual(['/realm/keys', '/.well-known/jwks.json']);
  });

  it('an issuer whose metadata cannot be used lets nobody in, and is not asked once for each token', async () => {
    let asked = 0;
    const { jwksUrl: _, ...undecided } = settings;
    const one = createAuthenticator({
      store: team.store,
      jwt: { ...undecided, cooldownMs: 30_000 },
      fetch: (url, given) => fetch(url, { signal: given }),
      discover: async () => {
        asked++;
        throw new Error('they name another issuer');
      },
      now: () => team.clock.now,
    });
    for (const sub of ['idp|ben', 'b', 'c']) {
      await expect(one.authenticate(await issuer.sign({ sub }), signal())).rejects.toMatchObject({
        code: 'upstream_unreachable',
      });
    }
    expect([asked, issuer.requests]).toEqual([1, 0]);
  });

  it('a new key of the issuer is found; within the cool-down nobody can make us fetch again', async () => {
    const one = authenticator();
    const patient = authenticator(team.store, { cooldownMs: 60_000 });
    const old = await issuer.sign({ sub: 'idp|ben' });
    await one.authenticate(old, signal());
    await patient.authenticate(old, signal());
    await issuer.useKeys('second');
    const token = await issuer.sign({ sub: 'idp|ben' });
    const before = issuer.requests;
    expect(await one.authenticate(token, signal())).toMatchObject({ id: 'ben' });
    expect(issuer.requests).toBe(before + 1);
    await expect(patient.authenticate(token, signal())).rejects.toMatchObject(
      unauthorized(/does not publish/),
    );
    expect(issuer.requests).toBe(before + 1);
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'of another issuer',
      () => issuer.sign({ sub: 'idp|ben' }, { issuer: 'https://other.example' }),
      /not for this gateway/,
    ],
    [
      'for another audience',
      () => issuer.sign({ sub: 'idp|ben' }, { audience: 'else' }),
      /not for this gateway/,
    ],
    ['that expired', () => issuer.sign({ sub: 'idp|ben' }, { expires: START - 60_000 }), /expired/],
    ['that is not valid yet', () => issuer.sign({ sub: 'idp|ben', nbf: START / 1000 + 60 }), /not yet/],
    ['without expiry', () => issuer.sign({ sub: 'idp|ben' }, { expires: undefined }), /not for this gateway/],
    [
      'with a wrong signature',
      async () => tampered(await issuer.sign({ sub: 'idp|eve' }), { sub: 'idp|ben' }),
      /wrong signature/,
    ],
    ['without signature', async () => unsigned(await issuer.sign({ sub: 'idp|ben' })), /./],
    // LemonLDAP::NG 2.16 does so unless it is told otherwise
    [
      'signed with a shared secret',
      () => issuer.signShared({ sub: 'idp|ben' }),
      /is signed with HS256, which is not accepted: .*RS256/,
    ],
    ['without subject', () => issuer.sign({}), /no claim "sub"/],
    ['whose subject is empty', () => issuer.sign({ sub: '' }), /no claim "sub"/],
    ['whose organisation is empty', () => issuer.sign({ sub: 'idp|ben', org_id: '' }), /no text/],
    ['that is too long', () => issuer.sign({ sub: 'idp|ben', filler: 'x'.repeat(20_000) }), /too long/],
    ['whose subject is no text', () => issuer.sign({ sub: 7 as never }), /./],
    ['whose organisation is no text', () => issuer.sign({ sub: 'idp|ben', org_id: ['acme'] }), /no text/],
    ['that is none', async () => 'a.b.c', /./],
  ])('a token %s is unauthorized', async (_, make, message) => {
    await expect(authenticator().authenticate(await make(), signal())).rejects.toMatchObject(
      unauthorized(message),
    );
  });

  it('for one of several audiences is enough', async () => {
    const audience = ['https://tools.example.com/mcp', 'toolcrib'];
    const of = (given: string) => issuer.sign({ sub: 'idp|ben' }, { audience: given });
    const one = authenticator(team.store, { audience });
    for (const given of audience) {
      expect(await one.authenticate(await of(given), signal())).toMatchObject({ id: 'ben' });
    }
    await expect(one.authenticate(await of('https://tools.example.com'), signal())).rejects.toMatchObject(
      unauthorized(/not for this gateway/),
    );
  });

  // a client that gets a 401 for a good token has its person sign in once more, and says nothing of why
  it.each<[string, object, RegExp, RegExp, (() => unknown)?]>([
    ['of an unknown subject', { sub: 'idp|nobody' }, /Nobody/, /--subject is idp\|nobody$/],
    ['of another organisation', { sub: 'idp|ben', org_id: 'rival' }, /does not belong/, /admin/],
    [
      'of a disabled user',
      { sub: 'idp|ben' },
      /disabled/,
      /admin/,
      () => team.directory.users.update(ADA, 'ben', { status: 'disabled' }),
    ],
  ])('a good token %s is refused, and says whom to ask', async (_, claims, message, next, change) => {
    await change?.();
    const token = await issuer.sign({ ...claims });
    await expect(authenticator().authenticate(token, signal())).rejects.toMatchObject({
      code: 'user_refused',
      message: expect.stringMatching(message),
      next: expect.stringMatching(next),
    });
  });

  it('a subject is shown without what moves a cursor or turns writing round', async () => {
    const token = await issuer.sign({ sub: 'idp|\u202e\u001b[2Jx' });
    await expect(authenticator().authenticate(token, signal())).rejects.toMatchObject({
      next: expect.stringMatching(/--subject is idp\| \[2Jx$/),
    });
  });

  it('a user without organisation has none', async () => {
    await team.directory.users.create(OPERATOR, { name: 'Dan', organisation: null, subject: 'idp|dan' });
    const token = await issuer.sign({ sub: 'idp|dan' });
    expect(await authenticator().authenticate(token, signal())).not.toHaveProperty('organisation');
    const elsewhere = await issuer.sign({ sub: 'idp|dan', org_id: 'acme' });
    await expect(authenticator().authenticate(elsewhere, signal())).rejects.toMatchObject({
      code: 'user_refused',
      message: expect.stringMatching(/belong/),
    });
  });

  it.each([
    ['admin'],
    [{ admin: true }],
    [['admin', 7]],
    [['admin', '']],
    [['admin', 'x'.repeat(129)]],
    [Array(101).fill('admin')],
    [null],
  ])('roles that are no list of names give none: %j', async (roles) => {
    const token = await issuer.sign({ sub: 'idp|ben', roles: roles as never });
    expect((await authenticator().authenticate(token, signal())).roles).toEqual([]);
  });

  it('as many roles count as a token may name, and names as long as they may be', async () => {
    const roles = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(index === 0 ? 128 : 3, 'x'));
    const token = await issuer.sign({ sub: 'idp|ben', roles });
    expect((await authenticator().authenticate(token, signal())).roles).toEqual(roles);
  });

  it('a store that cannot be asked ends no sign-in', async () => {
    const token = await issuer.sign({ sub: 'idp|ben', org_id: 'acme' });
    const { reference } = await authenticator().refer(token, signal());
    const gone = new ToolcribError('store_unavailable', 'gone');
    const broken: Store = { ...team.store, revision: () => Promise.reject(gone) };
    await expect(authenticator(broken).again(reference)).rejects.toBe(gone);
  });

  it.each(['{}', '{"keys":7}', '{"keys":["x"]}', '[]', 'Sign in, please.'])(
    'an answer that is no key set takes the place of none: %s',
    async (text) => {
      let answer: string | undefined;
      const one = createAuthenticator({
        store: team.store,
        jwt: settings,
        fetch: (url, given) =>
          answer === undefined ? fetch(url, { signal: given }) : Promise.resolve(new Response(answer)),
        now: () => team.clock.now,
      });
      const token = await issuer.sign({ sub: 'idp|ben' });
      await one.authenticate(token, signal());
      answer = text;
      // a key that is not known makes it ask again
      await issuer.useKeys('second');
      const newer = await issuer.sign({ sub: 'idp|ben' });
      await expect(one.authenticate(newer, signal())).rejects.toMatchObject({ code: 'upstream_unreachable' });
      expect(await one.authenticate(token, signal())).toMatchObject({ id: 'ben' });
    },
  );

  it('keys that cannot be had let nobody in', async () => {
    issuer.failing = true;
    const token = await issuer.sign({ sub: 'idp|ben' });
    await expect(authenticator().authenticate(token, signal())).rejects.toMatchObject({
      code: 'upstream_unreachable',
    });
    issuer.failing = false;
    expect(await authenticator().authenticate(token, signal())).toMatchObject({ id: 'ben' });
  });

  it('keys that were had count for an hour while newer ones cannot be', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const one = authenticator(team.store, { cooldownMs: 30_000 });
    const token = await issuer.sign({ sub: 'idp|ben' });
    await one.authenticate(token, signal());
    issuer.failing = true;
    vi.advanceTimersByTime(11 * 60_000);
    expect(await one.authenticate(token, signal())).toMatchObject({ id: 'ben' });
    vi.advanceTimersByTime(61 * 60_000);
    await expect(one.authenticate(token, signal())).rejects.toMatchObject({ code: 'upstream_unreachable' });
    issuer.failing = false;
    vi.advanceTimersByTime(30_000);
    expect(await one.authenticate(token, signal())).toMatchObject({ id: 'ben' });
  });

  it.each([['second'], ['first']])(
    'a token by a new key, %s, is not told to be wrong while the keys cannot be had',
    async (kid) => {
      await issuer.useKeys('first');
      const one = authenticator();
      const old = await issuer.sign({ sub: 'idp|ben' });
      await one.authenticate(old, signal());
      await issuer.useKeys(kid);
      const token = await issuer.sign({ sub: 'idp|ben' });
      issuer.failing = true;
      await expect(one.authenticate(token, signal())).rejects.toMatchObject({ code: 'upstream_unreachable' });
      expect(await one.authenticate(old, signal())).toMatchObject({ id: 'ben' });
      issuer.failing = false;
      expect(await one.authenticate(token, signal())).toMatchObject({ id: 'ben' });
      await expect(one.authenticate(old, signal())).rejects.toMatchObject(
        unauthorized(/does not publish|wrong signature/),
      );
    },
  );

  // LemonLDAP::NG 2.16.1 keeps the key id that stands in its configuration, or names none
  it.each([['always the same'], [undefined]])(
    'a new key counts though its name, %s, is known',
    async (kid) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      await issuer.useKeys(kid);
      const one = authenticator(team.store, { cooldownMs: 30_000 });
      await one.authenticate(await issuer.sign({ sub: 'idp|ben' }), signal());
      await issuer.useKeys(kid);
      const token = await issuer.sign({ sub: 'idp|ben' });
      await expect(one.authenticate(token, signal())).rejects.toMatchObject(unauthorized(/wrong signature/));
      expect(issuer.requests).toBe(1);
      vi.advanceTimersByTime(31_000);
      expect(await one.authenticate(token, signal())).toMatchObject({ id: 'ben' });
      expect(issuer.requests).toBe(2);
    },
  );

  it('several keys without a name are tried in turn', async () => {
    await issuer.useKeys(undefined);
    const old = await issuer.sign({ sub: 'idp|ben' });
    await issuer.useKeys(undefined, 'beside the last one');
    const one = authenticator(team.store, { cooldownMs: 30_000 });
    for (const token of [old, await issuer.sign({ sub: 'idp|ben' })])
      expect(await one.authenticate(token, signal())).toMatchObject({ id: 'ben' });
    await expect(one.authenticate(tampered(old, { sub: 'ada' }), signal())).rejects.toMatchObject(
      unauthorized(/wrong signature/),
    );
  });

  it('keys that do not come in time are no fault of the token', async () => {
    const late = createAuthenticator({
      store: team.store,
      jwt: settings,
      fetch: () => Promise.reject(new DOMException('too late', 'TimeoutError')),
    });
    const token = await issuer.sign({ sub: 'idp|ben' });
    await expect(late.authenticate(token, signal())).rejects.toMatchObject({ code: 'upstream_unreachable' });
  });

  it('while the keys cannot be had, tokens do not make us ask once for each', async () => {
    const one = authenticator(team.store, { cooldownMs: 30_000 });
    issuer.failing = true;
    for (const sub of ['a', 'b', 'c', 'd']) {
      const token = await issuer.sign({ sub });
      await expect(one.authenticate(token, signal())).rejects.toMatchObject({ code: 'upstream_unreachable' });
    }
    expect(issuer.requests).toBe(1);
  });
});

interface Issuer {
  readonly url: string;
  requests: number;
  failing: boolean;
  /** A new key in place of those before, or beside the last one. */
  useKeys(kid: string | undefined, how?: 'beside the last one'): Promise<void>;
  sign(
    claims: Record<string, unknown>,
    how?: { issuer?: string; audience?: string; expires?: number | undefined },
  ): Promise<string>;
  signShared(claims: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** An identity provider on the loopback address. */
async function startIssuer(): Promise<Issuer> {
  let current:
    | { kid: string | undefined; privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'] }
    | undefined;
  let published: object[] = [];
  const server: Server = createServer((_request, response) => {
    issuer.requests++;
    response.writeHead(issuer.failing ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const token = (
    claims: Record<string, unknown>,
    how: { issuer?: string; audience?: string; expires?: number | undefined },
  ) => {
    const expires = 'expires' in how ? how.expires : START + 600_000;
    const jwt = new SignJWT(claims)
      .setIssuer(how.issuer ?? issuer.url)
      .setAudience(how.audience ?? 'toolcrib');
    return expires === undefined ? jwt : jwt.setExpirationTime(expires / 1000);
  };
  const named = () => (current?.kid === undefined ? {} : { kid: current.kid });
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    failing: false,
    async useKeys(kid, how) {
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      current = { kid, privateKey };
      const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
      published = [...(how === undefined ? [] : published.slice(-1)), jwk];
    },
    sign: (claims, how = {}) =>
      token(claims, how)
        .setProtectedHeader({ alg: 'ES256', ...named() })
        .sign(current!.privateKey),
    signShared: (claims) =>
      token(claims, {})
        .setProtectedHeader({ alg: 'HS256', ...named() })
        .sign(new TextEncoder().encode(JSON.stringify(published.at(-1)))),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return issuer;
}

function tampered(token: string, claims: object): string {
  const [header, payload, signature] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(payload!, 'base64url').toString()), ...claims };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  return [header, token.split('.')[1], ''].join('.');
}
