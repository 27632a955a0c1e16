import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/telemetry/redact.ts';
import { processorTime } from '../processor-time.ts';

const SECRET = 'pk-7/Q+ü "9\\w&';
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const percentAll = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicode = (text: string) =>
  [...Array(text.length).keys()]
    .map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('');
const html = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');

describe('a live secret', () => {
  it.each<[string, string]>([
    ['as it is', SECRET],
    ['percent-encoded', encodeURIComponent(SECRET)],
    [
      'percent-encoded in lower case',
      encodeURIComponent(SECRET).replace(/%../g, (byte) => byte.toLowerCase()),
    ],
    ['percent-encoded throughout', percentAll(SECRET)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['form-encoded', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['JSON-escaped', json(SECRET)],
    ['JSON-escaped twice', json(json(SECRET))],
    ['JSON-escaped with escaped slashes', json(SECRET).replaceAll('/', '\\/')],
    ['in \\u escapes', unicode(SECRET)],
    ['with HTML entities', html(SECRET).replace('ü', '&#xFC;')],
    ['base64', base64(SECRET)],
    ['base64 behind one byte', base64(`u${SECRET}`)],
    ['base64 behind two bytes, more after it', base64(`u:${SECRET}tail`)],
    ['base64url without padding', Buffer.from(`user:${SECRET}`).toString('base64url')],
    ['base64 in lines', base64(`${'x'.repeat(70)}${SECRET}${'y'.repeat(50)}`).replace(/(.{76})/g, '$1\r\n')],
    ['hex', hex(SECRET)],
    ['hex in capitals', hex(SECRET).toUpperCase()],
    ['base64 of JSON', base64(JSON.stringify({ key: SECRET }))],
    ['base64 of base64', base64(base64(SECRET))],
    ['base64, percent-encoded', encodeURIComponent(base64(`>>>${SECRET}???`))],
    ['percent-encoded JSON', encodeURIComponent(JSON.stringify({ key: SECRET }))],
  ])('goes %s, what stands around it stays', (_, written) => {
    expect(redact({ text: `before ${written} after` }, [SECRET]).text).toMatch(
      /^before [\S\r\n]*\[redacted][\S\r\n]* after$/,
    );
  });

  it.each<[string, unknown, unknown]>([
    ['a key', { 'live-value': 1 }, { '[redacted]': 1 }],
    [
      'keys that become the same',
      { 'live-value': 1, 'live-value!': 2, '[redacted]': 3 },
      { '[redacted]': 1, '[redacted]!': 2, '[redacted] (2)': 3 },
    ],
    ['nested', [{ a: ['x live-value'] }], [{ a: ['x [redacted]'] }]],
    ['a Map', new Map([['a', 'live-value']]), new Map([['a', '[redacted]']])],
    ['a Set', new Set(['live-value']), new Set(['[redacted]'])],
    ['a URL object', new URL('https://h.example/live-value'), 'https://h.example/[redacted]'],
    ['Headers', new Headers({ 'x-a': 'live-value' }), { 'x-a': '[redacted]' }],
    ['bytes', Buffer.from('x live-value'), Buffer.from('x [redacted]')],
    [
      'an object without a prototype',
      Object.assign(Object.create(null), { a: 'live-value' }),
      { a: '[redacted]' },
    ],
  ])('goes from %s', (_, payload, expected) => {
    expect(redact(payload, ['live-value'])).toEqual(expected);
  });

  it('goes from numbers', () => {
    expect(redact({ a: 123456, b: 123456789n, c: 12 }, ['123456'])).toEqual({
      a: '[redacted]',
      b: '[redacted]',
      c: 12,
    });
  });

  it('goes from errors, their causes, stacks and properties; the class stays', () => {
    const cause = new TypeError('inner live-value');
    const error = Object.assign(new RangeError('outer live-value', { cause }), {
      code: 'E1',
      detail: 'live-value',
    });
    const clean = redact(error, ['live-value']);
    expect(clean).toBeInstanceOf(RangeError);
    expect(clean).toMatchObject({ message: 'outer [redacted]', code: 'E1', detail: '[redacted]' });
    expect(clean.cause).toMatchObject({ message: 'inner [redacted]' });
    expect(clean.stack).not.toContain('live-value');
    expect(error.message).toBe('outer live-value');
  });

  it('goes as a whole where another secret is part of it', () => {
    expect(redact('a long-secret-value b', ['secret', 'long-secret-value', 'long'])).toBe('a [redacted] b');
    expect(redact('aaaa', ['aa'])).toBe('[redacted]');
  });

  it('goes where its beginning was cut off', () => {
    expect(redact('…0123456789abcdef', ['abcdefghijklmnop0123456789abcdef'])).toBe('…[redacted]');
  });

  it('is not in the mask either', () => {
    expect(redact('the word dact', ['dact'])).toBe('the word ***');
  });

  it('is not looked for when it is empty', () => {
    const payload = { a: 'abc' };
    expect(redact(payload, [''])).toBe(payload);
  });
});

describe('a value that its name gives away', () => {
  it.each([
    'authorization',
    'Proxy-Authorization',
    'password',
    'PASSWD',
    'userPassword',
    'db.pwd',
    'user[password]',
    'password_confirmation',
    'apiKey',
    'api_key',
    'X-API-KEY',
    'APIKEY',
    'githubToken',
    'access_token',
    'idToken',
    'X-Auth-Token',
    'client-secret',
    'SECRET',
    'privateKey',
    'aws_secret_access_key',
    'cookie',
    'Set-Cookie',
    'sessionId',
    'connectionString',
    'credentials',
    'cvv',
    'ssn',
    'otp',
  ])('%s', (name) => {
    expect(redact({ [name]: 'unknown-1', other: 'stays' }, [])).toEqual({
      [name]: '[redacted]',
      other: 'stays',
    });
  });

  it.each<[string, unknown, unknown]>([
    ['a number', { ssn: 123 }, { ssn: '[redacted]' }],
    [
      'everything below',
      { secrets: { a: 'x', b: [1, { c: 'y' }] } },
      { secrets: { a: '[redacted]', b: ['[redacted]', { c: '[redacted]' }] } },
    ],
    [
      'header pairs',
      {
        headers: [
          ['Cookie', 'a=b'],
          ['accept', '*/*'],
        ],
      },
      {
        headers: [
          ['Cookie', '[redacted]'],
          ['accept', '*/*'],
        ],
      },
    ],
    ['name and value', [{ name: 'X-Api-Key', value: 'v1' }], [{ name: 'X-Api-Key', value: '[redacted]' }]],
    [
      'a raw list of headers',
      { rawHeaders: ['Host', 'h', 'Authorization', 'v1'] },
      { rawHeaders: ['Host', 'h', 'Authorization', '[redacted]'] },
    ],
    ['a Map', new Map([['token', 'v1']]), new Map([['token', '[redacted]']])],
  ])('in %s', (_, payload, expected) => expect(redact(payload, [])).toEqual(expected));

  it('truth values, null and nothing say nothing', () => {
    const payload = { password: true, token: null, secret: '', apiKey: undefined };
    expect(redact(payload, [])).toBe(payload);
  });
});

describe('a credential that its form gives away', () => {
  it.each<[string, string]>([
    ['https://ann:pw1@h.example/x', 'https://[redacted]@h.example/x'],
    ['postgres://:p@ss1@db:5432/x', 'postgres://[redacted]@db:5432/x'],
    [
      'GET https://h.example/x?access_token=v1&page=2 failed',
      'GET https://h.example/x?access_token=[redacted]&page=2 failed',
    ],
    ['https://h.example/#id_token=v1&state=s', 'https://h.example/#id_token=[redacted]&state=s'],
    ['/x?X-Amz-Signature=v1&X-Amz-Date=d', '/x?X-Amz-Signature=[redacted]&X-Amz-Date=d'],
    ['a=1&client%5Fsecret=v1&b=2', 'a=1&client%5Fsecret=[redacted]&b=2'],
    ['next=https%3A%2F%2Fh%2F%3Ftoken%3Dv1%26a%3D1', 'next=https%3A%2F%2Fh%2F%3Ftoken%3D[redacted]%26a%3D1'],
    ['Authorization: Bearer v1-x was refused', 'Authorization: [redacted] was refused'],
    ['authorization=Basic QTpC, then', 'authorization=[redacted], then'],
    ['Authorization: Digest username="a", response="b"', 'Authorization: [redacted]'],
    ['sent Bearer abcdef012345 twice', 'sent Bearer [redacted] twice'],
    ['sent Basic bGVlOndvcmQ= twice', 'sent Basic [redacted] twice'],
    ['/back?code=abc123&state=s', '/back?code=[redacted]&state=s'],
    ['https://h.example/?token=v1#top', 'https://h.example/?token=[redacted]#top'],
    ['Really? a=1&token=v#1&b=2', 'Really? a=1&token=[redacted]&b=2'],
    ['a=1&token=v#1&b=2', 'a=1&token=[redacted]&b=2'],
    ['my password: abc123 is', 'my password: [redacted] is'],
    ['Cookie: sid=v1; theme=x\r\nAccept: a', 'Cookie: [redacted]\r\nAccept: a'],
    ['X-Api-Key: v1 was sent', 'X-Api-Key: [redacted] was sent'],
    ["{'password': 'v 1', 'a': 'b'}", "{'password': '[redacted]', 'a': 'b'}"],
    ['{"password":"v1","a":1}', '{"password":"[redacted]","a":1}'],
    ['body {\\"token\\":\\"v1\\",\\"a\\":1}', 'body {\\"token\\":\\"[redacted]\\",\\"a\\":1}'],
    ['<password>v1</password><a>b</a>', '<password>[redacted]</password><a>b</a>'],
    ['name="password"\r\n\r\nv1\r\n--x', 'name="password"\r\n\r\n[redacted]\r\n--x'],
    ['user: ann\npassword: hunter\nport: 1', 'user: ann\npassword: [redacted]\nport: 1'],
    ['eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.abc', '[redacted]'],
    ['-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----', '[redacted]-----END PRIVATE KEY-----'],
  ])('%s', (text, expected) => expect(redact(text, [])).toBe(expected));
});

describe('a text that only looks like a credential', () => {
  it.each([
    'sent Basic YWJjZGVmZ2hpamtsbQ== twice',
    'sent Basic AToBAgMEBQYHCAkKCwwNDg8Q twice',
    '/back?code=abc12&state=s',
    '/back?code=abc123',
    '/back?zip=abc123&state=s',
    'my password: ab12 is',
    'my password: 123456 is',
    'name="note"\r\n\r\nv1\r\n--x',
    '<note>v1</note>',
  ])('%s', (text) => expect(redact(text, [])).toBe(text));
});

it('what the mask itself makes of a text is looked at again', () => {
  expect(redact('xsecretvaluey', ['secretvalue', 'x[redacted]y'])).not.toContain('x[redacted]y');
});

describe('what stays as it is', () => {
  it.each<[string, unknown]>([
    [
      'words that contain others',
      {
        secretary: 'Ann',
        passenger: 'x',
        keyboard: 'us',
        monkey: 1,
        author: 'A',
        compass: 'n',
        cookieless: true,
        bypass: 'y',
      },
    ],
    [
      'what is about a secret',
      {
        tokenCount: 5,
        max_tokens: '100',
        token_type: 'bearer',
        tokenUrl: 'https://h/',
        passwordPolicy: 'strict',
        cookie_consent: 'yes',
        keyId: 'k1',
        auth_method: 'basic',
      },
    ],
    ['cursors', { nextPageToken: 'abc', page_token: 'x1', continuationToken: 'c' }],
    ['ordinary URLs', { url: 'https://h.example/users/@me/tokens?limit=5&sort=author&cursor=abc' }],
    [
      'sentences',
      [
        'Invalid token: expected string',
        'The password must be long',
        'Bearer authentication required',
        'Basic authentication',
        'mail ann@h.example',
      ],
    ],
    ['lists of names', { required: ['password', 'email'], fields: ['token', 'name'] }],
    ['schemas', { properties: { password: { type: 'string', format: 'password' } } }],
    [
      'hashes and ids',
      { id: '550e8400-e29b-41d4-a716-446655440000', sha: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' },
    ],
    ['dates and patterns', { at: new Date(0), pattern: /x/ }],
    ['nothing', [undefined, null, true, 1.5, '']],
  ])('%s', (_, payload) => {
    expect(redact(payload, ['some-live-secret'])).toBe(payload);
  });
});

describe('whatever comes', () => {
  it.each(['auth', 'pass', 'signature', 'keys', 'pin'])('a structure without a text, called %s', (name) => {
    const value = { [name]: { toString: {}, password: 'hunter2' } };
    expect(JSON.stringify(redact(value, new Set()))).not.toContain('hunter2');
  });

  it('leaves the input alone', () => {
    const payload = Object.freeze({ a: Object.freeze({ token: 'v1' }), b: Object.freeze({ c: 1 }) });
    const clean = redact(payload, []);
    expect(clean).toEqual({ a: { token: '[redacted]' }, b: { c: 1 } });
    expect(clean.b).toBe(payload.b);
  });

  it('keeps cycles and shared parts', () => {
    const payload: Record<string, unknown> = { text: 'live-value' };
    payload['self'] = payload;
    payload['token'] = payload;
    const clean = redact(payload, ['live-value']);
    expect(clean['self']).toBe(clean);
    expect(clean['text']).toBe('[redacted]');
  });

  it('survives getters that throw, prototypes as keys and absurd depth', () => {
    const payload = Object.defineProperty({ a: 'live-value' }, 'bad', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(redact(payload, ['live-value'])).toEqual({ a: '[redacted]', bad: undefined });
    const proto = redact(JSON.parse('{"__proto__":{"token":"v1"}}'), []);
    expect(JSON.stringify(proto)).toBe('{"__proto__":{"token":"[redacted]"}}');
    let deep: unknown = 'live-value';
    for (let level = 0; level < 20_000; level++) deep = [deep];
    expect(JSON.stringify(redact(deep, ['live-value']))).not.toContain('live-value');
  });

  it.each([
    '?token=',
    'authorization:',
    'a=',
    'a.',
    '<a b',
    'cookie:a=;',
    'a://',
    'token="',
    'name="a"\n',
    'abcd\n',
    '%25',
    '\\\\',
  ])('reads 200,000 characters of %j in good time', async (part) => {
    const text = part.repeat(200_000 / part.length);
    expect(await processorTime(() => redact({ text }, ['some-live-secret']))).toBeLessThan(3000);
  });

  it('reads 10,000 keys that all look like secrets in good time, and loses none', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `ghp_${String(100_000 + index).repeat(6)}`);
    const payload = Object.fromEntries(['[redacted] (3)', ...names].map((name, index) => [name, index]));
    let clean: object = {};
    const time = await processorTime(() => {
      clean = redact(payload, ['some-live-secret']);
    });
    expect(time).toBeLessThan(8000);
    expect(Object.keys(clean).slice(0, 4)).toEqual([
      '[redacted] (3)',
      '[redacted]',
      '[redacted] (2)',
      '[redacted] (4)',
    ]);
    expect(Object.values(clean)).toEqual(Object.values(payload));
  });
});

const corpus = new URL('../../../../shared/data/security/redaction.jsonl', import.meta.url);

describe.skipIf(!existsSync(corpus))('the shared corpus (skipped where it is absent)', () => {
  it('keeps what must stay, and nothing that must go as it is', () => {
    const rows = existsSync(corpus)
      ? readFileSync(corpus, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
    for (const { id, payload, secrets, expect: wanted } of rows) {
      const text = JSON.stringify(redact(payload, secrets));
      if (wanted.same) expect(text, id).toBe(JSON.stringify(payload));
      for (const kept of wanted.keep ?? []) expect(text, id).toContain(kept);
      for (const gone of [...secrets.filter(Boolean), ...(wanted.absent ?? [])])
        expect(text, id).not.toContain(gone);
    }
  });
});
