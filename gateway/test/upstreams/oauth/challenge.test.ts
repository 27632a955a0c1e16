import { describe, expect, it } from 'vitest';
import { parseChallenge } from '../../../src/upstreams/oauth/challenge.ts';

describe('a challenge', () => {
  it.each([
    ['nothing', null, {}],
    ['another scheme', 'Basic realm="x"', {}],
    ['the scheme alone', 'Bearer', {}],
    [
      'everything',
      'Bearer realm="a, b", error="insufficient_scope", scope="a b a", resource_metadata="https://x/y"',
      { error: 'insufficient_scope', scopes: ['a', 'b'], resourceMetadata: 'https://x/y' },
    ],
    [
      'token syntax and odd spaces',
      'bearer scope = a ,error=invalid_token',
      { scopes: ['a'], error: 'invalid_token' },
    ],
    ['a second scheme before it', 'Basic realm="x", Bearer scope="a"', { scopes: ['a'] }],
    ['a second scheme behind it', 'Bearer scope="a", Digest error="no"', { scopes: ['a'] }],
    ['an escaped quote', 'Bearer error="a\\"b"', { error: 'a"b' }],
    ['scopes that are none', 'Bearer scope="a \\"b\u00e9 c"', { scopes: ['a', 'c'] }],
    ['the first of two', 'Bearer scope="a", scope="b"', { scopes: ['a'] }],
  ])('with %s', (_, header, expected) => {
    expect(parseChallenge(header)).toEqual(expected);
  });

  it('of any length is read in time', () => {
    expect(parseChallenge(`Bearer ${'a="'.repeat(100_000)}`)).toEqual({});
  });
});
