import { describe, expect, test } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Principal } from '../../../src/operations/index.ts';
import { APPROVER_PRINCIPAL, createGuards } from '../../../src/server/http/guards.ts';

const request = (headers: Record<string, string>, method = 'GET') =>
  new Request('http://127.0.0.1:8787/mcp', { method, headers });
const guards = createGuards({
  allowedHosts: [
    'Tools.example.com',
    'other.example.com:8443',
    '[2001:db8::8]',
    '2001:DB8::6',
    'münchen.example',
  ],
  allowedOrigins: ['https://App.example.com/', 'https://münchen.example:443', 'vscode-webview://Panel'],
});
guards.bind('10.1.2.3');
guards.bind('2001:DB8::7');

test.each([
  '127.0.0.1:8787',
  'localhost',
  'LOCALHOST:8787',
  'me.localhost',
  '[::1]:8787',
  '127.9.9.9',
  'tools.example.com',
  'tools.example.com:1234',
  'other.example.com:8443',
  'OTHER.example.com:8443',
  '10.1.2.3:8787',
  '[2001:db8::7]:8787',
  '[2001:db8::8]:1234',
  '[2001:db8::6]',
  'xn--mnchen-3ya.example',
])('the host %s is answered', (host) => {
  expect(() => guards.checkOrigin(request({ host }))).not.toThrow();
});

test.each([
  'evil.example.com',
  'tools.example.com.evil.com',
  'other.example.com',
  'other.example.com:1',
  'localhost.evil.com',
  '127.0.0.1.evil.com',
  'user@localhost.evil.com',
  '10.1.2.4',
  '[2001:db8::9]:8787',
  '0.0.0.0:8787',
  'a b',
])('the host %s is refused', (host) => {
  expect(() => guards.checkOrigin(request({ host }))).toThrow(
    expect.objectContaining({ code: 'host_refused' }),
  );
});

test.each(['https://app.example.com', 'https://xn--mnchen-3ya.example', 'vscode-webview://panel'])(
  'pages of %s are answered',
  (origin) => {
    expect(guards.allowsPages(origin)).toBe(true);
    expect(() => guards.checkOrigin(request({ host: 'localhost', origin }))).not.toThrow();
  },
);

test('a host that was let through lets its name through with no other port', () => {
  expect(() => guards.checkHost(request({ host: 'other.example.com:8443' }))).not.toThrow();
  for (const host of ['other.example.com', 'other.example.com:1'])
    expect(() => guards.checkHost(request({ host }))).toThrow(/is not one that this server/);
});

test('a request that names no host is for that of its address', () => {
  expect(() => guards.checkHost(request({}))).not.toThrow();
  expect(() => guards.checkHost(new Request('http://evil.example.com/mcp'))).toThrow(
    expect.objectContaining({ code: 'host_refused' }),
  );
});

test('the address that people know needs no other entry', () => {
  const known = createGuards({
    publicUrl: 'https://crib.example.com:8443',
    allowedHosts: [],
    allowedOrigins: [],
  });
  // a proxy may leave the port out
  for (const host of ['crib.example.com:8443', 'CRIB.example.com']) {
    const origin = 'https://crib.example.com:8443';
    expect(() => known.checkOrigin(request({ host, origin }))).not.toThrow();
  }
  for (const host of ['crib.example.com.evil.com', 'example.com', 'xcrib.example.com:8443']) {
    expect(() => known.checkOrigin(request({ host }))).toThrow(/is not one that this server/);
    expect(() => known.checkHost(request({ host }))).toThrow(/is not one that this server/);
  }
});

describe('origins', () => {
  test.each([
    'http://localhost:6274',
    'http://127.0.0.1',
    'https://app.example.com',
    'https://APP.example.com',
    'https://tools.example.com',
    'https://other.example.com:8443',
  ])('%s may ask', (origin) => {
    expect(() => guards.checkOrigin(request({ host: 'localhost', origin }))).not.toThrow();
  });

  test.each([
    'http://evil.example.com',
    'null',
    'http://app.example.com',
    'file://localhost',
    'capacitor://localhost',
    'xhttp://localhost',
    'https://other.example.com',
    'http://localhost.evil.com',
    '',
  ])('%j may not', (origin) => {
    const check = () => guards.checkOrigin(request({ host: 'localhost', origin }));
    expect(check).toThrow(expect.objectContaining({ code: 'host_refused' }));
  });

  const fetched = (mode: string, dest: string, site = 'cross-site', method = 'GET') =>
    request(
      { host: 'localhost', 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
      method,
    );

  test.each([
    ['no-cors', 'image'],
    ['no-cors', 'script'],
    ['no-cors', 'empty'],
    ['no-cors', 'document'],
    ['navigate', 'iframe'],
    ['navigate', 'object'],
    ['websocket', 'websocket'],
  ])('another site that names none gets nothing done: %s of %s', (mode, dest) => {
    expect(() => guards.checkOrigin(fetched(mode, dest))).toThrow(
      expect.objectContaining({ code: 'host_refused' }),
    );
    expect(() => guards.checkOrigin(fetched(mode, dest, 'same-origin'))).not.toThrow();
  });

  test('a link from another site is followed', () => {
    for (const method of ['GET', 'HEAD']) {
      expect(() => guards.checkOrigin(fetched('navigate', 'document', 'cross-site', method))).not.toThrow();
    }
  });

  test.each(['POST', 'PUT', 'DELETE'])('a form of another site sends no %s', (method) => {
    expect(() => guards.checkOrigin(fetched('navigate', 'document', 'cross-site', method))).toThrow(
      expect.objectContaining({ code: 'host_refused' }),
    );
  });

  const posted = (origin: string, more: Record<string, string> = {}) =>
    request({ host: '127.0.0.1:8787', origin, ...more }, 'POST');

  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://page.localhost', 'http://[::1]:8787'])(
    'a page of %s makes this gateway do nothing by what browsers send without asking first',
    (origin) => {
      for (const type of [
        'multipart/form-data; boundary=x',
        'Multipart/Form-Data',
        ' text/plain;charset=UTF-8',
        'application/x-www-form-urlencoded',
      ]) {
        const check = () => guards.checkOrigin(posted(origin, { 'content-type': type }));
        expect(check, type).toThrow(expect.objectContaining({ code: 'host_refused' }));
      }
      expect(() => guards.checkOrigin(posted(origin))).toThrow(/are not answered/);
      // browsers ask first, and are told no
      for (const more of [{ 'content-type': 'application/json' }, { authorization: 'Bearer x' }])
        expect(() => guards.checkOrigin(posted(origin, more))).not.toThrow();
    },
  );

  test('its own pages send forms, those that the configuration names, and whoever is no page', () => {
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    for (const origin of ['http://127.0.0.1:8787', 'https://app.example.com', 'https://tools.example.com'])
      expect(() => guards.checkOrigin(posted(origin, form)), origin).not.toThrow();
    // a proxy on this machine gave the request another host
    const proxied = posted('http://localhost:5173', { ...form, 'sec-fetch-site': 'same-origin' });
    expect(() => guards.checkOrigin(proxied)).not.toThrow();
    const local = createGuards({
      publicUrl: 'http://localhost:9000',
      allowedHosts: [],
      allowedOrigins: ['http://localhost:4000'],
    });
    for (const origin of ['http://localhost:9000', 'http://localhost:4000'])
      expect(() => local.checkOrigin(posted(origin, form)), origin).not.toThrow();
    expect(() => guards.checkOrigin(request({ host: 'localhost', ...form }, 'POST'))).not.toThrow();
  });

  test('only origins of the configuration may read answers from a page', () => {
    expect(guards.allowsPages('https://app.example.com')).toBe(true);
    expect(guards.allowsPages('https://APP.example.com')).toBe(true);
    expect(guards.allowsPages('http://localhost:6274')).toBe(false);
  });
});

describe('the token', () => {
  const guarded = createGuards({ token: 'correct horse', allowedHosts: [], allowedOrigins: [] });
  const open = createGuards({ allowedHosts: [], allowedOrigins: [] });

  test('without one everybody is the local principal', async () => {
    expect(await open.principal(request({ authorization: 'Bearer whatever' }))).toMatchObject({
      id: 'local',
      kind: 'local',
    });
  });

  const token = createGuards({ token: 's3cret', allowedHosts: [], allowedOrigins: [] });
  test.each(['Bearer s3cret', 'bearer s3cret', 'BEARER   s3cret'])('%s is let in', async (authorization) => {
    expect(await token.principal(request({ authorization }))).toMatchObject({
      kind: 'token',
      maxAccess: 'delete',
    });
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer s3cre',
    'Bearer s3crett',
    'Basic s3cret',
    's3cret',
    'Bearer a s3cret',
    'Bearer s3cret a',
    'NotBearer s3cret',
  ])('%j is not', async (authorization) => {
    const check = token.principal(request({ authorization }));
    await expect(check).rejects.toMatchObject({ code: 'unauthorized' });
  });

  test('a token that no header can carry lets nobody in', async () => {
    await expect(guarded.principal(request({ authorization: 'Bearer correct horse' }))).rejects.toThrow();
  });
});

describe('the approver token', () => {
  const settings = {
    allowedHosts: [],
    allowedOrigins: [],
    isApprover: async (one: string) => one === 'tca_x',
  };
  test.each([
    ['an open gateway', createGuards(settings)],
    ['one with a token', createGuards({ ...settings, token: 's3cret' })],
  ])('decides and nothing else at %s; a wrong one is nobody', async (_, guarded) => {
    const shown = (bearer: string) => guarded.principal(request({ authorization: `Bearer ${bearer}` }));
    expect(await shown('tca_x')).toBe(APPROVER_PRINCIPAL);
    expect(APPROVER_PRINCIPAL).toMatchObject({ purpose: 'approve', sources: [], maxAccess: 'read' });
    await expect(shown('tca_y')).rejects.toMatchObject({ code: 'unauthorized' });
    // only what looks like one is asked about
    expect(await shown('s3cret')).toMatchObject({ maxAccess: 'delete' });
  });
});

describe('a team', () => {
  const user: Principal = { id: 'ann', kind: 'user', organisation: 'acme', maxAccess: 'write', roles: [] };
  const asked: string[] = [];
  const authenticate = async (bearer: string) => {
    asked.push(bearer);
    if (bearer === 'tck_ann') return user;
    throw new ToolcribError('unauthorized', 'The key is not valid.');
  };
  const settings = { allowedHosts: [], allowedOrigins: [], authenticate };
  const team = createGuards(settings);
  const withToken = createGuards({ ...settings, token: 's3cret' });
  const bearer = (credential: string) => request({ authorization: `Bearer ${credential}` });

  test('a key names its user', async () => {
    expect(await team.principal(bearer('tck_ann'))).toBe(user);
    expect(await withToken.principal(bearer('tck_ann'))).toBe(user);
  });

  test('nobody is looked for any longer once the request is gone', async () => {
    const gone = new AbortController();
    const signals: AbortSignal[] = [];
    const asking = createGuards({
      ...settings,
      authenticate: async (_, signal) => {
        signals.push(signal);
        return user;
      },
    });
    const { url, headers } = bearer('tck_ann');
    await asking.principal(new Request(url, { headers, signal: gone.signal }));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    gone.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('the server token is the operator and is not asked for elsewhere', async () => {
    asked.length = 0;
    expect(await withToken.principal(bearer('s3cret'))).toMatchObject({ kind: 'token' });
    expect(asked).toEqual([]);
  });

  test.each([[team], [withToken]])(
    'nobody is let in without a credential, from loopback neither',
    async (guards) => {
      const anonymous = guards.principal(request({ host: '127.0.0.1' }));
      await expect(anonymous).rejects.toMatchObject({ code: 'unauthorized' });
      await expect(guards.principal(bearer('tck_bob'))).rejects.toMatchObject({ code: 'unauthorized' });
      await expect(guards.principal(request({ authorization: 'Basic tck_ann' }))).rejects.toThrow();
    },
  );
});
