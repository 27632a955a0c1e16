import { describe, expect, it } from 'vitest';
import { placeCookie, placeHeader, placeQuery } from '../../src/credentials/place-credential.ts';
import { header, request } from './connections.ts';

describe('a credential in the query', () => {
  it.each<[string, string, string]>([
    ['beside a question mark', 'https://a.test/p?q=is it?&b=1', 'https://a.test/p?q=is it?&b=1&key=s'],
    ['beside a name that cannot be decoded', 'https://a.test/p?%zz=1', 'https://a.test/p?%zz=1&key=s'],
  ])('%s, which stays as it is', (_, url, expected) => {
    expect(placeQuery(request({ url }), 'key', 's').url).toBe(expected);
  });

  it('is written with unreserved characters only', () => {
    const { url } = placeQuery(request({ url: 'https://a.test/p' }), 'key', "a!b'c(d)e*f");
    expect(url).toBe('https://a.test/p?key=a%21b%27c%28d%29e%2Af');
  });
});

describe('a credential in a cookie', () => {
  it.each<[string, string]>([
    ['a b', 'sid=a%20b'],
    ['a,b', 'sid=a%2Cb'],
    ['😀', 'sid=%F0%9F%98%80'],
  ])('%s', (value, expected) => {
    expect(header(placeCookie(request(), 'sid', value, 'here'), 'cookie')).toBe(expected);
  });
});

it('a header carries no control character, DEL included', () => {
  for (const character of ['\x7f', '\x1f', '\n']) {
    expect(() => placeHeader(request(), 'X-Key', `a${character}b`, 'here')).toThrow('here');
  }
});
