import { describe, expect, it } from 'vitest';
import { loginGrant } from '../../../src/credentials/login/login-answer.ts';
import type { JsonObject, LoginToken } from '../../../src/operations/index.ts';

const NOW = Date.UTC(2026, 0, 1);

interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
}

/** What an answer with this body gives; `json` only of objects, as askProvider reads it. */
function granted(place: LoginToken | undefined, body: JsonObject | string, given: Given = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const json = typeof body === 'string' ? undefined : body;
  const answer = { status: 200, headers: {}, cookies: [], json, ...given, body: Buffer.from(text) };
  return loginGrant(answer, place, NOW);
}

/** A JWT that ends so many milliseconds from now on. */
const jwt = (ms: number) =>
  `a.${Buffer.from(JSON.stringify({ exp: (NOW + ms) / 1000 })).toString('base64url')}.c`;

describe('the token of a login', () => {
  it.each<[string, LoginToken | undefined, JsonObject | string, string | undefined]>([
    ['stands at the usual places, the likeliest first', undefined, { token: 'b', access_token: 'a' }, 'a'],
    [
      'is no number, list or empty text',
      undefined,
      { access_token: 1, accessToken: [], token: '' },
      undefined,
    ],
    ['stands where that is said', '/data/0/key', { data: [{ key: 'k' }], token: 'b' }, 'k'],
    ['is nowhere else then', '/data/key', { token: 'b' }, undefined],
    ['is a plain text', '', ' abc.def \n', 'abc.def'],
    ['is a JSON text', '', '"abc"', 'abc'],
    ['ends with a quote that begins nowhere', '', 'abc"', 'abc"'],
    ['is no empty text', '', '', undefined],
    ['is no empty JSON text', '', '""', undefined],
    ['is no broken JSON text', '', '"abc', undefined],
    ['is no page', '', '<p>Welcome</p>', undefined],
    ['is no sentence', '', 'Signed in', undefined],
    ['is no object', '', { token: 'a' }, undefined],
  ])('%s', (_what, place, body, token) => expect(granted(place, body)?.token).toBe(token));

  it('stands in a header, by any spelling of its name', () => {
    const headers = { 'x-auth-token': ' abc ', 'x-empty': ' ' };
    expect(granted({ header: 'X-Auth-Token' }, {}, { headers })?.token).toBe('abc');
    for (const header of ['X-Empty', 'X-Other']) expect(granted({ header }, {}, { headers })).toBeUndefined();
  });

  it.each<[string, readonly string[], string | undefined]>([
    ['with what belongs to it', ['sid=YWJj==; Path=/; HttpOnly'], 'YWJj=='],
    ['with spaces around it', [' sid = abc ; Path=/'], 'abc'],
    ['as it was set last', ['sid=old; Path=/', 'sid=new', 'other=x'], 'new'],
    ['whose life is long', ['sid=abc; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'abc'],
    ['whose end is to come', ['sid=abc; expires=Fri, 01-Jan-2027 00:00:00 GMT'], 'abc'],
    ['whose end nobody can read', ['sid=abc; Expires=soon; Max-Age=long'], 'abc'],
    ['unless it is taken away', ['sid=; Path=/'], undefined],
    ['unless its life is over', ['sid=deleted; Max-Age=0; Path=/'], undefined],
    ['unless its end is past', ['sid=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; path=/'], undefined],
    ['by its own name', ['xsid=a', 'sidx=b', 'Sid=c'], undefined],
  ])('stands in a cookie, %s', (_what, cookies, token) =>
    expect(granted({ cookie: 'sid' }, {}, { cookies })?.token).toBe(token),
  );
});

describe('how long it lasts', () => {
  it.each<[string, LoginToken | undefined, JsonObject | string, number | undefined]>([
    ['what stands beside it', undefined, { token: 'a', expires_in: 5 }, 5000],
    [
      'beside it, wherever that is',
      '/data/token',
      { data: { token: 'a', expires_in: '7' }, expires_in: 5 },
      7000,
    ],
    ['what stands elsewhere says nothing', '/data/token', { data: { token: 'a' }, expires_in: 5 }, undefined],
    ['what it says itself', undefined, { token: jwt(9000) }, 9000],
    ['what stands beside it comes first', undefined, { token: jwt(9000), expires_in: 5 }, 5000],
    ['what has ended has no life left', undefined, { token: jwt(-9000) }, 0],
    ['of a text nobody says', '', 'abc', undefined],
  ])('%s', (_what, place, body, lifetimeMs) => expect(granted(place, body)?.lifetimeMs).toBe(lifetimeMs));

  it('says nothing beside a header', () => {
    const headers = { 'x-token': 'a' };
    expect(granted({ header: 'X-Token' }, { expires_in: 5 }, { headers })).toEqual({ token: 'a' });
  });
});
