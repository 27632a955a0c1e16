import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../../../src/version.ts';
import { browserAt, refusal } from './browser.ts';
import { SERVER_TOKEN, sessionGateway } from './session-gateway.ts';

let open: Awaited<ReturnType<typeof sessionGateway>>;
beforeAll(async () => {
  open = await sessionGateway('open');
});
afterAll(() => open[Symbol.asyncDispose]());

const decisionOf = (id: string) => `/api/v1/approvals/${id}/decision`;
const APPROVE = { decision: 'approve' };

describe('a gateway without token and team', () => {
  test('says so to whoever asks, and that nobody is signed in', async () => {
    const { status, body } = await open.browser().get('/api/v1/session');
    expect([status, body]).toEqual([
      200,
      {
        mode: 'open',
        signedIn: false,
        principal: { id: 'local', kind: 'local', roles: [] },
        can: { decide: false, operate: true, own: false, administer: true },
        gateway: { name: 'toolcrib', version: VERSION },
      },
    ]);
  });

  test('is looked at and called without signing in, but nobody decides', async () => {
    const browser = open.browser();
    expect((await browser.get('/api/v1/tools')).status).toBe(200);
    const called = await browser.send('POST', '/api/v1/tools/count/call', { arguments: {} });
    expect(called.body.structured).toEqual({ items: 3 });
    expect(refusal(await browser.send('POST', decisionOf(await open.gated()), APPROVE))).toEqual([
      403,
      'approval_forbidden',
    ]);
  });
});

describe('the owner', () => {
  test('is told by whoever asks whether a link is of this gateway, without using it', async () => {
    const code = await open.codes.create();
    const asked = async (of: string) =>
      (await open.browser().get(`/api/v1/session/links/${createHash('sha256').update(of).digest('hex')}`))
        .body;
    expect([await asked(code), await asked('another')]).toEqual([{ waits: true }, { waits: false }]);
    expect((await open.browser().get(`/api/v1/session/links/${code}`)).status).toBe(400);
    expect((await open.browser().signIn({ code })).status).toBe(200);
    expect(await asked(code)).toEqual({ waits: false });
  });

  test('is told of a link that is not good what may be the matter with it', async () => {
    const { status, body } = await open.browser().signIn({ code: 'of-another-gateway' });
    expect([status, body.error.message]).toEqual([
      401,
      'This sign-in link was used already, is older than 5 minutes, or is of a gateway with another state directory.',
    ]);
  });

  test('signs in with a code, and may do everything from then on', async () => {
    const browser = open.browser();
    const { status, headers, body } = await browser.signIn({ code: await open.codes.create() });
    expect([status, body]).toMatchObject([
      200,
      {
        signedIn: true,
        kind: 'owner',
        principal: { id: 'local', kind: 'local' },
        can: { decide: true, operate: true, own: true, administer: true },
      },
    ]);
    const { port } = new URL(open.url);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^toolcrib_session_${port}=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800$`,
        ),
      ),
    ]);
    const again = (await browser.get('/api/v1/session')).body;
    expect(again).toEqual(body);
    expect(Date.parse(again.expiresAt) - Date.now()).toBeGreaterThan(6 * 86_400_000);
  });

  test('decides a call of somebody else', async () => {
    const browser = await open.owner();
    const decided = await browser.send('POST', decisionOf(await open.gated()), APPROVE);
    expect(decided.body).toMatchObject({ state: 'approved', decidedBy: 'owner', channel: 'console' });
    const link = await browser.send('POST', `/api/v1/approvals/${await open.gated()}/link`, {});
    expect(link.body.url).toMatch(/\/approve\//);
  });

  test('signs out: the cookie is taken back and would not count any more', async () => {
    const browser = await open.owner();
    const stolen = new Map(browser.cookies);
    expect((await browser.send('DELETE', '/api/v1/session')).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of stolen) browser.cookies.set(name, value);
    expect((await browser.get('/api/v1/session')).body.signedIn).toBe(false);
    expect(refusal(await browser.send('POST', decisionOf(await open.gated()), APPROVE))).toEqual([
      403,
      'approval_forbidden',
    ]);
  });

  test('signs in again and leaves nothing of the session before', async () => {
    const browser = await open.owner();
    const [[name, before]] = [...browser.cookies] as [[string, string]];
    expect((await browser.signIn({ code: await open.codes.create() })).status).toBe(200);
    expect(browser.cookies.get(name)).not.toBe(before);
    browser.cookies.set(name, before);
    expect((await browser.get('/api/v1/session')).body.signedIn).toBe(false);
  });

  test('is told in the event log when somebody signs in and out, without anything secret', async () => {
    const browser = await open.owner();
    const secret = [...browser.cookies.values()][0]!;
    await browser.send('DELETE', '/api/v1/session');
    const { events } = (await open.browser().get('/api/v1/events?type=session-opened,session-closed')).body;
    expect(events.slice(-2)).toMatchObject([
      { type: 'session-opened', principal: 'local', organisation: '', change: 'owner signed in' },
      { type: 'session-closed', principal: 'local', change: 'owner signed out' },
    ]);
    expect(events.at(-1).subject).toBe(events.at(-2).subject);
    expect(JSON.stringify(events)).not.toContain(secret);
  });
});

describe('a code', () => {
  test('is good once', async () => {
    const code = await open.codes.create();
    expect((await open.browser().signIn({ code })).status).toBe(200);
    const again = await open.browser().signIn({ code });
    expect(refusal(again)).toEqual([401, 'unauthorized']);
    expect(again.body.error.next).toContain('toolcrib console');
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  test('is good once when many ask at the same moment', async () => {
    const code = await open.codes.create();
    const answers = await Promise.all(Array.from({ length: 8 }, () => open.browser().signIn({ code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test.each(['', 'x', 'a'.repeat(43), '../approver-token', 'a'.repeat(201)])('%j is none', async (code) => {
    const { status } = await open.browser().signIn({ code });
    expect([400, 401]).toContain(status);
  });

  test('leaves its hash alone on the disk, for its owner only', async () => {
    const code = await open.codes.create();
    const folder = join(open.folder, 'sign-in-codes');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      expect(`${name} ${await readFile(join(folder, name), 'utf8')}`).not.toContain(code);
    }
  });
});

describe('forged requests', () => {
  test.each([
    ['without the token', undefined],
    ['with another token', 'A'.repeat(43)],
    ['with an empty token', ''],
  ])('%s change nothing', async (_, token) => {
    const browser = await open.owner();
    const id = await open.gated();
    const headers = { 'x-csrf-token': token };
    expect(refusal(await browser.send('POST', decisionOf(id), APPROVE, headers))).toEqual([
      403,
      'csrf_refused',
    ]);
    expect(refusal(await browser.send('DELETE', '/api/v1/session', undefined, headers))).toEqual([
      403,
      'csrf_refused',
    ]);
    expect(
      refusal(await browser.send('POST', '/api/v1/tools/count/call', { arguments: {} }, headers)),
    ).toEqual([403, 'csrf_refused']);
    expect((await browser.get('/api/v1/session')).body.signedIn).toBe(true);
  });

  test('with the token of another session change nothing', async () => {
    const [one, other] = [await open.owner(), await open.owner()];
    const answer = await one.send('POST', decisionOf(await open.gated()), APPROVE, {
      'x-csrf-token': other.csrf,
    });
    expect(refusal(answer)).toEqual([403, 'csrf_refused']);
  });

  test.each([
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a page of another name of this machine', { origin: 'http://localhost:1' }],
    ['what the browser calls another site', { 'sec-fetch-site': 'cross-site' }],
    ['what the browser calls the same site', { 'sec-fetch-site': 'same-site' }],
  ])('from %s are not those of the session', async (_, headers) => {
    const browser = await open.owner();
    const id = await open.gated();
    expect(refusal(await browser.send('POST', decisionOf(id), APPROVE, headers))).toEqual([
      403,
      'approval_forbidden',
    ]);
    const seen = await browser.send('GET', '/api/v1/session', undefined, headers);
    // without an origin another site is answered nothing at all
    if ('sec-fetch-site' in headers && headers['sec-fetch-site'] === 'cross-site')
      expect(refusal(seen)).toEqual([403, 'host_refused']);
    else expect(seen.body).toMatchObject({ signedIn: false });
    const code = await open.codes.create();
    expect(refusal(await open.browser().send('POST', '/api/v1/session', { code }, headers))).toEqual([
      403,
      'host_refused',
    ]);
    expect((await open.browser().signIn({ code })).status).toBe(200);
  });

  test('from a foreign origin are refused before anything is looked at', async () => {
    const browser = await open.owner();
    const headers = { origin: 'https://evil.example.com' };
    expect(refusal(await browser.send('GET', '/api/v1/session', undefined, headers))).toEqual([
      403,
      'host_refused',
    ]);
  });

  test('as a form sign nobody in', async () => {
    const body = new URLSearchParams({ code: await open.codes.create() });
    const response = await fetch(new URL('/api/v1/session', open.url), { method: 'POST', body });
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
  });
});

describe('where the cookie counts', () => {
  test('never at /mcp, nor for metrics, nor beside a bearer', async () => {
    await using closed = await sessionGateway('token');
    const browser = await closed.owner();
    expect((await browser.get('/api/v1/tools')).status).toBe(200);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    expect((await browser.send('POST', '/mcp', message)).status).toBe(401);
    expect((await browser.get('/metrics')).status).toBe(401);
    const bearer = await browser.send('GET', '/api/v1/tools', undefined, { authorization: 'Bearer wrong' });
    expect(refusal(bearer)).toEqual([401, 'unauthorized']);
  });

  test('a cookie that is none is no session', async () => {
    const browser = open.browser();
    const { port } = new URL(open.url);
    for (const value of ['', 'x', 'A'.repeat(43), `${'A'.repeat(42)}%00`]) {
      browser.cookies.set(`toolcrib_session_${port}`, value);
      expect((await browser.get('/api/v1/session')).body.signedIn).toBe(false);
    }
  });

  test('another gateway of the machine keeps its own', async () => {
    const browser = await open.owner();
    const other = await open.open();
    const there = browserAt(other.url);
    for (const [name, value] of browser.cookies) there.cookies.set(name, value);
    expect((await there.get('/api/v1/session')).body.signedIn).toBe(false);
  });
});

describe('over https', () => {
  const askAt =
    ({ gateway }: Awaited<ReturnType<typeof sessionGateway>>) =>
    (method: string, headers: Record<string, string>, body?: object) =>
      gateway.fetch(
        new Request('http://tools.example.com/api/v1/session', {
          method,
          headers: { host: 'tools.example.com', 'content-type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );

  test('as a proxy in front of us passes it on, the cookie is bound to the host', async () => {
    await using behind = await sessionGateway('open', { server: { allowedHosts: ['tools.example.com'] } });
    const ask = askAt(behind);
    const code = await behind.codes.create();
    const signedIn = await ask('POST', { origin: 'https://tools.example.com' }, { code });
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-toolcrib_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; .*; Secure$/,
    );
    const session = await ask('GET', { cookie: cookie.split(';')[0]! });
    expect(await session.json()).toMatchObject({ signedIn: true, kind: 'owner' });
  });

  test('where the public address is that, no cookie of another host of the domain counts', async () => {
    await using behind = await sessionGateway('open', { server: { publicUrl: 'https://tools.example.com' } });
    const ask = askAt(behind);
    const code = await behind.codes.create();
    const inTheClear = await ask('POST', { origin: 'http://tools.example.com' }, { code });
    expect(inTheClear.status).toBe(403);
    expect(await inTheClear.json()).toMatchObject({
      error: { code: 'host_refused', next: 'Open https://tools.example.com.' },
    });
    const signedIn = await ask('POST', { origin: 'https://tools.example.com' }, { code });
    const [cookie] = signedIn.headers.getSetCookie()[0]!.split(';');
    const isSignedIn = async (given: string) => {
      const { signedIn } = (await (await ask('GET', { cookie: given })).json()) as { signedIn: boolean };
      return signedIn;
    };
    expect([await isSignedIn(cookie!), await isSignedIn(cookie!.replace('__Host-', ''))]).toEqual([
      true,
      false,
    ]);
  });
});

describe('all sessions', () => {
  test('are listed for the owner alone, and ended', async () => {
    await using closed = await sessionGateway('token');
    const [owner, other] = [await closed.owner(), closed.browser()];
    await other.signIn({ token: SERVER_TOKEN });
    for (const path of ['/api/v1/sessions', `/api/v1/sessions/${'0'.repeat(64)}`]) {
      const method = path.endsWith('sessions') ? 'GET' : 'DELETE';
      expect(refusal(await other.send(method, path))).toEqual([403, 'owner_needed']);
      expect((await closed.as(SERVER_TOKEN)(method, path)).body.error.code).toBe('owner_needed');
    }
    const { body } = await owner.get('/api/v1/sessions');
    const text = JSON.stringify(body);
    for (const browser of [owner, other]) {
      for (const secret of [...browser.cookies.values(), browser.csrf]) expect(text).not.toContain(secret);
    }
    const { sessions } = body;
    expect(sessions).toHaveLength(2);
    const found = sessions.find(({ openedWith }: { openedWith: string }) => openedWith === 'token');
    expect(found).toMatchObject({ own: false, mayDecide: false });
    expect(sessions).toContainEqual(expect.objectContaining({ openedWith: 'owner', own: true }));
    // what is listed signs nobody in
    const { port } = new URL(closed.url);
    const thief = closed.browser();
    thief.cookies.set(`toolcrib_session_${port}`, found.id);
    expect((await thief.get('/api/v1/session')).body.signedIn).toBe(false);
    expect((await owner.send('DELETE', `/api/v1/sessions/${found.id}`)).status).toBe(204);
    expect((await other.get('/api/v1/session')).body.signedIn).toBe(false);
    expect(refusal(await owner.send('DELETE', `/api/v1/sessions/${found.id}`))).toEqual([
      404,
      'record_unknown',
    ]);
  });
});

test('a stream of events ends with its session: nothing that comes later is sent', async () => {
  await using fresh = await sessionGateway('open');
  const browser = await fresh.owner();
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const response = await fetch(new URL('/api/v1/events', fresh.url), {
    headers: { cookie, accept: 'text/event-stream' },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (wanted: RegExp) => {
    while (!wanted.test(text)) {
      const { value, done } = await reader.read();
      if (done) return false;
      text += value;
    }
    return true;
  };
  const call = () => fresh.browser().send('POST', '/api/v1/tools/count/call', { arguments: {} });
  await call();
  expect(await until(/call-completed/)).toBe(true);
  await browser.send('DELETE', '/api/v1/session');
  text = '';
  await call();
  expect([await until(/call-completed/), text]).toEqual([false, expect.not.stringContaining('call-')]);
});
