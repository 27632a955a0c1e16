import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/store/open-store.ts';
import { type OAuthDouble, startOAuthServer } from '../../../doubles/oauth-server.ts';
import { type Browser, refusal } from '../sessions/browser.ts';
import { SERVER_TOKEN, sessionGateway } from '../sessions/session-gateway.ts';

type SessionGateway = Awaited<ReturnType<typeof sessionGateway>>;

const AUDIENCE = 'https://tools.example/mcp';
const HOUR = 3_600_000;
const decisionOf = (id: string) => `/api/v1/approvals/${id}/decision`;
const APPROVE = { decision: 'approve' };

let provider: OAuthDouble;
let team: SessionGateway;
let ben: Awaited<ReturnType<SessionGateway['user']>>;
let eve: Awaited<ReturnType<SessionGateway['user']>>;

/** A gateway whose people sign in at the provider. */
const teamOf = (console: object = { clientId: 'console' }, settings: object = {}) =>
  sessionGateway('team', {
    ...settings,
    auth: { mode: 'team', jwt: { issuer: provider.origin, audience: AUDIENCE, console } },
  });

beforeAll(async () => {
  provider = await startOAuthServer();
  team = await teamOf();
  ben = await team.user('Ben', ['admin'], { subject: 'idp|ben' });
  eve = await team.user('Eve', [], { subject: 'idp|eve' });
});
afterAll(async () => {
  await team[Symbol.asyncDispose]();
  await provider.close();
});
beforeEach(() => {
  const { behaviour } = provider;
  Object.assign(behaviour, { subject: 'idp|ben', idClaims: {}, answer: {}, isAway: false, metadata: {} });
  Object.assign(behaviour, { issued: {}, held: undefined, refusal: 'invalid_grant' });
});

/** To the provider, where somebody agrees at once; the address that the browser is sent back to. */
async function atProvider(browser: Browser, back?: string): Promise<{ asked: URL; answer: URL }> {
  const query = back === undefined ? '' : `?back=${encodeURIComponent(back)}`;
  const begun = await browser.get(`/sign-in/provider${query}`);
  expect([begun.status, begun.body]).toEqual([303, '']);
  const asked = new URL(begun.headers.get('location')!);
  const there = await fetch(asked, { redirect: 'manual' });
  return { asked, answer: new URL(there.headers.get('location')!) };
}

const comeBack = (browser: Browser, { pathname, search }: URL) => browser.get(`${pathname}${search}`);

async function signIn(browser: Browser, back?: string) {
  return comeBack(browser, (await atProvider(browser, back)).answer);
}

const sessionAt = async (browser: Browser) => (await browser.get('/api/v1/session')).body;
const isSignedIn = async (browser: Browser) => (await sessionAt(browser)).signedIn as boolean;

/** The page that a person gets, who is not signed in. */
async function refused(browser: Browser, answer: Awaited<ReturnType<Browser['get']>>) {
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await isSignedIn(browser)).toBe(false);
  return [answer.status, answer.body] as const;
}

describe('signing in to the console at the identity provider', () => {
  test('the console is told where, and what it is called', async () => {
    expect(await sessionAt(team.browser())).toMatchObject({
      signedIn: false,
      provider: { name: new URL(provider.origin).host },
    });
    await using plain = await sessionGateway('team');
    expect(await sessionAt(plain.browser())).not.toHaveProperty('provider');
    const nobody = await plain.browser().get('/sign-in/provider');
    expect([nobody.status, nobody.body]).toEqual([404, expect.stringContaining('auth.jwt.console')]);
    const answered = await plain.browser().get('/sign-in/answer?state=&code=x');
    expect(answered.status).toBe(401);
  });

  test('goes there with PKCE, state and nonce, and comes back as that person', async () => {
    const browser = team.browser();
    const redirectUri = `${new URL(team.url).origin}/sign-in/answer`;
    const before = provider.grants.length;
    const { asked, answer } = await atProvider(browser, '/approvals/a1?of=me');
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'console',
      redirect_uri: redirectUri,
      scope: 'openid',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const there = await comeBack(browser, answer);
    expect([there.status, there.headers.get('location')]).toEqual([
      303,
      `${new URL(team.url).origin}/approvals/a1?of=me`,
    ]);
    expect(provider.grants.slice(before)).toEqual([
      {
        grant_type: 'authorization_code',
        client_id: 'console',
        redirect_uri: redirectUri,
        code: answer.searchParams.get('code'),
        code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    const session = await sessionAt(browser);
    expect(session).toMatchObject({
      signedIn: true,
      kind: 'user',
      principal: { id: ben.id, name: 'Ben', roles: ['admin'] },
      can: { decide: true, operate: false, own: false, administer: true },
    });
    const left = Date.parse(session.expiresAt) - Date.now();
    expect([left > 11.9 * HOUR, left <= 12 * HOUR]).toEqual([true, true]);
    // what was begun is over, and the session alone is left
    expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^toolcrib_session_\d+$/)]);
  });

  test('cookies: what was begun comes back from another site, the session never does', async () => {
    const browser = team.browser();
    const begun = await browser.get('/sign-in/provider');
    const [cookie] = begun.headers.getSetCookie();
    expect(cookie).toMatch(/^toolcrib_sign_in_\d+=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    const there = await fetch(begun.headers.get('location')!, { redirect: 'manual' });
    const answered = await comeBack(browser, new URL(there.headers.get('location')!));
    expect(answered.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^toolcrib_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
      ),
      expect.stringMatching(/^toolcrib_sign_in_\d+=; .*Max-Age=0$/),
      expect.stringMatching(/^__Host-toolcrib_sign_in_\d+=; .*Max-Age=0; Secure$/),
    ]);
  });

  test('with a secret, by the name that people know, at the address that they know', async () => {
    await using other = await teamOf(
      {
        clientId: 'console',
        clientSecret: { env: 'CONSOLE_SECRET' },
        name: 'Acme account',
        scopes: ['openid', 'profile'],
        authorizationParameters: { prompt: 'select_account', state: 'x', nonce: 'x' },
      },
      { server: { publicUrl: 'https://tools.example' } },
    );
    process.env['CONSOLE_SECRET'] = 's3cret & more';
    await other.user('Ben', [], { subject: 'idp|ben' });
    const browser = other.browser();
    expect((await sessionAt(browser)).provider).toEqual({ name: 'Acme account' });
    const { asked, answer } = await atProvider(browser);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      redirect_uri: 'https://tools.example/sign-in/answer',
      scope: 'openid profile',
      prompt: 'select_account',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const there = await comeBack(browser, answer);
    expect([there.status, there.headers.get('location')]).toEqual([303, 'https://tools.example/']);
    expect(provider.grants.at(-1)).toMatchObject({
      authorization: `Basic ${Buffer.from('console:s3cret+%26+more').toString('base64')}`,
    });
    expect(provider.grants.at(-1)).not.toHaveProperty('client_id');
    expect(there.headers.getSetCookie()[0]).toMatch(/^__Host-toolcrib_session_\d+=.*; Secure$/);
    expect((await sessionAt(browser)).principal.name).toBe('Ben');
    delete process.env['CONSOLE_SECRET'];
    // a cookie that is bound to no host is another site's word
    const tossed = other.browser();
    const { answer: own } = await atProvider(tossed);
    for (const [name, value] of [...tossed.cookies]) {
      tossed.cookies.clear();
      tossed.cookies.set(name.replace('__Host-', ''), value);
    }
    const [status, page] = await refused(tossed, await comeBack(tossed, own));
    expect([status, page]).toEqual([401, expect.stringContaining('or at https://tools.example, where')]);
  });

  test('the secret in the form where the provider takes it nowhere else, or the operator says so', async () => {
    provider.behaviour.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    const secret = { clientId: 'console', clientSecret: 'in clear' };
    for (const [console, way] of [
      [secret, 'body'],
      [{ ...secret, clientAuthentication: 'basic' }, 'basic'],
    ] as const) {
      await using other = await teamOf(console);
      await other.user('Ben', [], { subject: 'idp|ben' });
      const browser = other.browser();
      expect((await signIn(browser)).status).toBe(303);
      expect(provider.grants.at(-1)!['client_secret']).toBe(way === 'body' ? 'in clear' : undefined);
    }
  });
});

describe('an answer counts once, in the browser that asked', () => {
  test('in none that asked nothing, with no other state, and not twice', async () => {
    const browser = team.browser();
    const { answer } = await atProvider(browser);
    const before = provider.grants.length;
    const stranger = team.browser();
    expect(await refused(stranger, await comeBack(stranger, answer))).toEqual([
      401,
      expect.stringContaining('no sign-in that is under way in this browser'),
    ]);
    const asking = team.browser();
    const { answer: own } = await atProvider(asking);
    expect((await refused(asking, await comeBack(asking, answer)))[0]).toBe(401);
    expect(provider.grants.length).toBe(before);
    // a code that was not taken is over
    own.searchParams.set('code', 'made-up');
    expect((await refused(asking, await comeBack(asking, own)))[0]).toBe(502);
    expect(asking.cookies.size).toBe(0);

    expect((await comeBack(browser, answer)).status).toBe(303);
    expect((await comeBack(browser, answer)).status).toBe(401);
    expect(provider.grants.length).toBe(before + 2);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('of two tabs the one that began last, whichever answers first', async () => {
    const browser = team.browser();
    const { answer: first } = await atProvider(browser, '/first');
    const { answer: last } = await atProvider(browser, '/last');
    expect(await refused(browser, await comeBack(browser, first))).toEqual([
      401,
      expect.stringContaining('Go on in the tab where you began last'),
    ]);
    const there = await comeBack(browser, last);
    expect([there.status, there.headers.get('location')]).toEqual([303, `${new URL(team.url).origin}/last`]);
    // the provider answers once more when the person goes back, and the session does not come along from another site
    const again = await comeBack(browser, last);
    expect([again.status, again.body]).toEqual([
      401,
      expect.stringMatching(
        /<h1>This answer signs nobody in<.*signed in already.*<a href="\/">Go on to the console</s,
      ),
    ]);
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  test('what a cookie holds beside that is nothing', async () => {
    const spoilt: ((value: string) => string)[] = [
      () => '',
      () => 'a.b.c.d',
      () => 'x'.repeat(43),
      (value) => `${value}.more`,
      // its state alone
      (value) => `${value.split('.')[0]}.x.x.Lw`,
    ];
    for (const spoil of spoilt) {
      const browser = team.browser();
      const { answer } = await atProvider(browser);
      const [[name, value]] = [...browser.cookies] as [[string, string]];
      browser.cookies.set(name, spoil(value));
      expect((await refused(browser, await comeBack(browser, answer)))[0]).toBe(401);
    }
  });

  test.each([
    ['//evil.example/x', '/'],
    ['/sign-in?back=/x', '/'],
    ['/tools/a%2Fb?q=a%20b', '/tools/a%2Fb?q=a%20b'],
  ])('back to %s is back to %s', async (back, expected) => {
    const { origin } = new URL(team.url);
    const browser = team.browser();
    expect((await signIn(browser, back)).headers.get('location')).toBe(`${origin}${expected}`);
    // nor by a cookie that somebody else wrote
    const other = team.browser();
    const { answer } = await atProvider(other);
    const [[name, value]] = [...other.cookies] as [[string, string]];
    other.cookies.set(name, value.replace(/[^.]*$/, Buffer.from(back).toString('base64url')));
    expect((await comeBack(other, answer)).headers.get('location')).toBe(`${origin}${expected}`);
  });
});

test('twenty answers are looked at at a time, and each gives its place back', async () => {
  const answers = [];
  for (let count = 0; count < 20; count++) {
    const browser = team.browser();
    answers.push({ browser, ...(await atProvider(browser)) });
  }
  const late = team.browser();
  const { answer } = await atProvider(late);
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.behaviour.held = promise;
  const before = provider.grants.length;
  const waiting = answers.map(({ browser, answer }) => comeBack(browser, answer));
  await expect.poll(() => provider.grants.length).toBe(before + 20);
  expect(await refused(late, await comeBack(late, answer))).toEqual([
    429,
    expect.stringMatching(/Too many people.*Reload this page/s),
  ]);
  provider.behaviour.held = undefined;
  resolve();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(new Array(20).fill(303));
  // nothing was asked with it: the very same answer still counts
  expect((await comeBack(late, answer)).status).toBe(303);
});

test('no way back is so long that the browser would keep no cookie', async () => {
  const { origin } = new URL(team.url);
  const begun = await team.browser().get(`/sign-in/provider?back=/${'x'.repeat(5_000)}`);
  expect(begun.headers.getSetCookie()[0]!.length).toBeLessThan(4_096);
  const long = await signIn(team.browser(), `/${'x'.repeat(1_000)}`);
  expect(long.headers.get('location')).toBe(`${origin}/`);
});

describe('an ID token that signs nobody in', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['of another sign-in', { nonce: 'another' }, 'of another sign-in'],
    ['without a nonce', { nonce: undefined }, 'of another sign-in'],
    ['for another client', { aud: 'payroll' }, 'not for this gateway'],
    ['for the gateway, and not for its console', { aud: AUDIENCE }, 'not for this gateway'],
    ['for several, issued to another', { aud: ['console', 'payroll'], azp: 'payroll' }, 'to another client'],
    ['for several, issued to nobody by name', { aud: ['console', 'payroll'] }, 'to another client'],
    ['of another issuer', { iss: 'https://id.example' }, 'not for this gateway'],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 60 }, 'has expired'],
    ['that never expires', { exp: undefined }, 'not for this gateway'],
    ['of nobody', { sub: undefined }, 'no claim &#34;sub&#34;'],
  ])('%s', async (_what, claims, said) => {
    provider.behaviour.idClaims = claims;
    const browser = team.browser();
    const [status, page] = await refused(browser, await signIn(browser));
    expect([status, page]).toEqual([401, expect.stringContaining(said)]);
    // a person has no bearer to send
    expect(page).toContain('try again. Should it happen again, tell whoever runs this gateway');
    expect(page).not.toContain('Bearer');
  });

  test('for several, issued to the console, it does', async () => {
    provider.behaviour.idClaims = { aud: ['console', 'payroll'], azp: 'console' };
    const browser = team.browser();
    expect([(await signIn(browser)).status, await isSignedIn(browser)]).toEqual([303, true]);
  });

  test('for several that are all this gateway, it does', async () => {
    provider.behaviour.idClaims = { aud: ['console', AUDIENCE] };
    const browser = team.browser();
    expect([(await signIn(browser)).status, await isSignedIn(browser)]).toEqual([303, true]);
  });

  test('of somebody who showed who it is too long ago, where `max_age` was asked for', async () => {
    const parameters = { max_age: '600' };
    await using other = await teamOf({ clientId: 'console', authorizationParameters: parameters });
    await other.user('Ben', [], { subject: 'idp|ben' });
    const now = Math.floor(Date.now() / 1000);
    for (const [auth_time, said] of [
      [now - 660, 'more than 600 s ago'],
      [undefined, 'does not say when its person signed in (auth_time)'],
      ['now', 'does not say when its person signed in (auth_time)'],
    ] as const) {
      provider.behaviour.idClaims = { auth_time };
      const browser = other.browser();
      const { asked, answer } = await atProvider(browser);
      expect(asked.searchParams.get('max_age')).toBe('600');
      expect(await refused(browser, await comeBack(browser, answer))).toEqual([
        401,
        expect.stringContaining(said),
      ]);
    }
    provider.behaviour.idClaims = { auth_time: now - 540 };
    const browser = other.browser();
    expect([(await signIn(browser)).status, await isSignedIn(browser)]).toEqual([303, true]);
    // whoever asks for none gets none
    provider.behaviour.idClaims = { auth_time: 1 };
    expect((await signIn(team.browser())).status).toBe(303);
  });

  test('none at all, one that is no token, one that is too long', async () => {
    for (const [id_token, status, said] of [
      [undefined, 502, 'without an ID token'],
      ['x.y.z', 401, 'is not valid'],
      [`${'x'.repeat(17_000)}`, 401, 'too long'],
    ] as const) {
      provider.behaviour.issued = { id_token };
      const browser = team.browser();
      expect(await refused(browser, await signIn(browser))).toEqual([status, expect.stringContaining(said)]);
    }
  });

  test('an access token of the same person is no ID token', async () => {
    const browser = team.browser();
    const { answer } = await atProvider(browser);
    const [token] = await accessTokens(1);
    provider.behaviour.issued = { id_token: token };
    expect((await refused(browser, await comeBack(browser, answer)))[0]).toBe(401);
  });
});

describe('an answer that is none', () => {
  test('somebody said no: in their words, which are text', async () => {
    const browser = team.browser();
    provider.behaviour.answer = { error: 'access_denied' };
    const { answer } = await atProvider(browser);
    answer.searchParams.set('error_description', '<img src=x>');
    const before = provider.grants.length;
    const [status, page] = await refused(browser, await comeBack(browser, answer));
    expect(status).toBe(401);
    expect(page).toContain('access_denied: &#60;img src=x&#62;');
    expect(page).not.toContain('<img');
    expect(page).toContain('try again');
    expect(provider.grants.length).toBe(before);
  });

  test('of another issuer, or of none where it names itself', async () => {
    for (const iss of ['https://id.example', null]) {
      provider.behaviour.answer = { iss };
      const browser = team.browser();
      const before = provider.grants.length;
      expect((await refused(browser, await signIn(browser)))[1]).toContain('does not come from');
      expect(provider.grants.length).toBe(before);
    }
  });

  // Glewlwyd has a word of its own
  test.each(['invalid_grant', 'invalid_code'])('the provider takes no code: %s', async (word) => {
    provider.behaviour.refusal = word;
    const browser = team.browser();
    const { answer } = await atProvider(browser);
    answer.searchParams.set('code', 'made-up');
    const [, page] = await refused(browser, await comeBack(browser, answer));
    expect(page).toContain(`answered 400: ${word}`);
    // what a code that was used or is late comes to: a person has no client id to look at
    expect(page).toMatch(
      /Go back to the sign-in page and try again\. Should it happen again, tell whoever runs/,
    );
  });

  test('the provider is away', async () => {
    const browser = team.browser();
    const { answer: late } = await atProvider(browser);
    provider.behaviour.isAway = true;
    const [status, page] = await refused(browser, await comeBack(browser, late));
    expect([status, page]).toEqual([502, expect.stringContaining('answered 503')]);
  });

  test('a provider that names no place to sign in, or one in the clear', async () => {
    for (const [metadata, said] of [
      [{ authorization_endpoint: undefined }, 'name no authorization_endpoint'],
      [{ token_endpoint: 'ftp://id.example/token' }, 'token_endpoint'],
      [{ issuer: 'https://other.example' }, 'another issuer'],
    ] as const) {
      provider.behaviour.metadata = metadata;
      await using other = await teamOf();
      const browser = other.browser();
      const answer = await browser.get('/sign-in/provider');
      expect(await refused(browser, answer)).toEqual([502, expect.stringContaining(said)]);
    }
  });
});

describe('who signed in', () => {
  test('and is not in the directory, is told whom to ask', async () => {
    provider.behaviour.subject = 'idp|<nobody>';
    const browser = team.browser();
    expect(await refused(browser, await signIn(browser))).toEqual([
      403,
      expect.stringContaining('--subject is idp|&#60;nobody&#62;'),
    ]);
  });

  test('is somebody of the organisation that the token names, with the roles that it gives', async () => {
    provider.behaviour.idClaims = { org_id: 'another' };
    const browser = team.browser();
    expect((await refused(browser, await signIn(browser)))[0]).toBe(403);
    Object.assign(provider.behaviour, { subject: 'idp|eve', idClaims: { roles: ['admin'] } });
    await signIn(browser);
    expect(await sessionAt(browser)).toMatchObject({ principal: { id: eve.id, roles: ['admin'] } });
  });

  test('is signed out once the directory knows them no more, in every process', async () => {
    const max = await team.user('Max', [], { subject: 'idp|max' });
    provider.behaviour.subject = 'idp|max';
    const browser = team.browser();
    await signIn(browser);
    const elsewhere = browser.at((await team.open()).url);
    expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([true, true]);
    const operator = team.as(SERVER_TOKEN);
    expect((await operator('PATCH', `/api/v1/users/${max.id}`, { status: 'disabled' })).status).toBe(200);
    expect([await isSignedIn(elsewhere), await isSignedIn(browser)]).toEqual([false, false]);
  });

  test('is signed out where nobody signs in this way any more', async () => {
    const jwt = { issuer: provider.origin, audience: AUDIENCE };
    for (const auth of [
      { mode: 'team', jwt },
      { mode: 'team', jwt: { ...jwt, console: { clientId: 'another' } } },
    ]) {
      const browser = team.browser();
      await signIn(browser);
      const other = await team.open(undefined, { auth });
      expect([await isSignedIn(browser), await isSignedIn(browser.at(other.url))]).toEqual([true, false]);
      // it has ended for all
      expect(await isSignedIn(browser)).toBe(false);
    }
  });

  test('leaves nothing that signs anybody in: no code, no verifier, no token', async () => {
    const browser = team.browser();
    const { answer } = await atProvider(browser);
    await comeBack(browser, answer);
    const store = await openStore(team.gateway.configuration.store);
    const tables = await store.database.introspection.getTables();
    let kept = '';
    for (const { name } of tables) {
      kept += JSON.stringify(
        await store.database
          .selectFrom(name as 'sessions')
          .selectAll()
          .execute(),
      );
    }
    await store.close();
    expect(kept).toContain('idp|ben');
    const grant = provider.grants.at(-1)!;
    for (const secret of [grant['code'], grant['code_verifier'], ...browser.cookies.values()]) {
      expect(kept).not.toContain(secret);
    }
    expect(kept).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });
});

describe('deciding', () => {
  test('who signed in decides as an approver does: what others asked, and never their own calls', async () => {
    const browser = team.browser();
    await signIn(browser);
    await sessionWithCsrf(browser);
    const decided = await browser.send('POST', decisionOf(await team.gated(eve.key)), APPROVE);
    expect(decided.body).toMatchObject({ state: 'approved', decidedBy: ben.id, channel: 'console' });
    const own = await browser.send('POST', decisionOf(await team.gated(ben.key)), APPROVE);
    expect(refusal(own)).toEqual([403, 'approval_forbidden']);
    const called = await browser.send('POST', '/api/v1/tools/count/call', { arguments: {} });
    expect(called.body.structured).toEqual({ items: 3 });
  });

  test('who is no approver decides nothing', async () => {
    provider.behaviour.subject = 'idp|eve';
    const browser = team.browser();
    await signIn(browser);
    await sessionWithCsrf(browser);
    const id = await team.gated(ben.key);
    expect(refusal(await browser.send('POST', decisionOf(id), APPROVE))).toEqual([404, 'approval_unknown']);
    expect((await browser.get('/api/v1/session')).body.can.decide).toBe(false);
  });

  test('a token of the same person that a client holds opens a session, and decides nothing', async () => {
    const [token] = await accessTokens(1);
    const browser = team.browser();
    expect((await browser.signIn({ token: token! })).body).toMatchObject({
      principal: { id: ben.id },
      can: { decide: false },
    });
    const id = await team.gated(eve.key);
    expect(refusal(await browser.send('POST', decisionOf(id), APPROVE))).toEqual([403, 'approval_forbidden']);
  });

  test('without the CSRF token nothing', async () => {
    const browser = team.browser();
    await signIn(browser);
    const id = await team.gated(eve.key);
    expect(refusal(await browser.send('POST', decisionOf(id), APPROVE))).toEqual([403, 'csrf_refused']);
  });
});

/** As the console reads it, which shows it with whatever it sends. */
async function sessionWithCsrf(browser: Browser): Promise<void> {
  const { csrf } = await sessionAt(browser);
  const { send } = browser;
  browser.send = (method, path, body, headers = {}) =>
    send(method, path, body, { 'x-csrf-token': csrf, ...headers });
}

/** Access tokens of Ben for this gateway, as a client gets them. */
async function accessTokens(count: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const answer = await fetch(`${provider.origin}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE }),
    });
    tokens.push(((await answer.json()) as { access_token: string }).access_token);
  }
  return tokens;
}
