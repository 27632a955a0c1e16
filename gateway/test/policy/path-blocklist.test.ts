import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPath } from '../../src/policy/path-blocklist.ts';

const base = 'https://api.example.org/v2';
const blocklist = ['/users', 'Org/Secrets/'];
const allowed = (path: string, from = base) => checkPath({ base: from, path, blocklist }).allow;

describe('refused', () => {
  it.each([
    ['listed', ['users', '/users', '/users/1', '/users/', '/USERS', 'org/secrets/x', '/users?x', '/users#x']],
    ['slashes', ['//users', '/users//1', '\\users', '/.\\users', '/%2Fusers', '/%5cusers', '/;a/users']],
    [
      'dot segments',
      [
        '/./users',
        '/a/../users',
        '/a/%2e%2e/users',
        '/a/%252e%252e/users',
        '/a/..;x/users',
        '/a/.%2e%20/users',
      ],
    ],
    [
      'escapes',
      [
        '/%75sers',
        '/%2575sers',
        '/%25252575sers',
        `/%${'25'.repeat(60)}75sers`,
        '/u%73ers',
        '/org%2fsecrets',
      ],
    ],
    [
      'suffixes',
      [
        '/users;x=1',
        '/users%3bx',
        '/users;%0ax',
        '/users%00.json',
        '/users...',
        '/users%20',
        '/users%20.',
        '/users%09/1',
        '/users%23',
        '/users%3fx',
      ],
    ],
    ['formats', ['/users.json', '/users.XML', '/org/secrets.csv', '/users.json;x']],
    [
      'other formats',
      ['htm', 'html', 'js', 'yml', 'yaml', 'txt', 'rss', 'atom'].map((format) => `/users.${format}`),
    ],
    ['longer than any service takes', [`/${'a'.repeat(20_000)}`, `/%${'25'.repeat(2_000_000)}`]],
    ['look-alikes', ['/ｕsers', '/uſers', '／users', '/%EF%BD%95sers', '/ℴrg/secrets', '/％75sers']],
    ['white space that a URL parser drops', ['/us\ners', '\t/users', ' /users', '/\r\nusers']],
    [
      'what it drops before another host',
      [' //evil.example/a', '\0https://evil.example/a', '\x1f\\\\evil.example'],
    ],
    ['leaving', ['..', '/..', '../v2x', '/a/../../x', '/%2e%2e/x', '/..;/x', '/../v2/a', '\\..\\x']],
    [
      'another origin',
      [
        'http://api.example.org/v2/a',
        'https://api.example.org:444/v2/a',
        'https://evil.example/v2/a',
        '//evil.example/v2/a',
        '\\\\evil.example\\a',
        'https:\\\\evil.example',
        'ftp://api.example.org/v2/a',
        'data:,x',
        'custom://x',
        'custom:\\\\x',
        '//me@intranet/a',
      ],
    ],
    ['user information', ['https://u@api.example.org/v2/a', 'https://u:p@api.example.org/v2/a']],
    [
      'beside the base',
      ['https://api.example.org/', 'https://api.example.org/v22/a', 'https://api.example.org/v2/../a'],
    ],
    ['absolute and listed', ['https://api.example.org/v2/users', 'HTTPS://API.EXAMPLE.ORG/v2/a/../users/1']],
    ['undecodable', ['/%ff', '/a%c0%afb', '/%80users', '/\ud800']],
  ])('%s', (_, paths) => {
    expect(paths.filter((path) => allowed(path))).toEqual([]);
  });

  it.each([
    '/users/..%3b/a',
    '/users/%252e%252e/a',
    '/users//../a',
    '/users/..%20/a',
    '/users;x/..;y',
    '//users/..;x',
    '/a\\..\\users\\..;x',
    '/a%5c..%5cusers',
    '/a/%2E%2E/users/..;x',
  ])('%s: free for one server, listed for another', (path) => expect(allowed(path)).toBe(false));

  it.each(['/users?/../a', '/users#/../a', '/users?\u2028/../a'])(
    '%s: what is behind the path leads out of nothing',
    (path) => expect(allowed(path)).toBe(false),
  );

  it.each(['/files/export.json', '/x/..;a/files/export.json', '/files/export.JSON;x'])(
    '%s, where the listed name itself has a format',
    (path) => expect(checkPath({ base, path, blocklist: ['/files/export.json'] }).allow).toBe(false),
  );

  it('says why', () => {
    expect(checkPath({ base, path: '/users/7', blocklist })).toEqual({
      allow: false,
      reason: 'The path is refused: /users is on the blocklist.',
    });
    expect(checkPath({ base: 'no url', path: '/a', blocklist: [] }).allow).toBe(false);
    expect(checkPath({ base: 'file:///v2', path: 'file:///v2/a', blocklist: [] }).allow).toBe(false);
    expect(checkPath({ base, path: '/a', blocklist: ['/%ff'] }).allow).toBe(false);
  });

  it('escapes beyond reason are refused in good time', () => {
    expect(allowed(`/%${'25'.repeat(20_000)}41`)).toBe(false);
  });
});

describe('allowed', () => {
  it.each([
    ['other names', ['/usersx', '/my/users', '/user', '/org', '/org/secretsx', '/secrets/org', '/']],
    ['the list only in query or fragment', ['/a?next=/users', '/a?q=../users', '/a#/users']],
    ['dot segments that stay inside', ['/a/../b', '/users/../a', '/a/./b', '/a/%2e%2e/b']],
    [
      'names with unusual characters',
      ['/a/...', '/a;b=c', '/a b', '/100%', '/名前', '/%E5%90%8D', '/items:batch', '//a/b'],
    ],
    [
      'absolute below the base',
      [
        'https://api.example.org/v2/a',
        'https://api.example.org:443/v2',
        'https://api.example.org/v2/../v2/a',
      ],
    ],
  ])('%s', (_, paths) => {
    expect(paths.filter((path) => !allowed(path))).toEqual([]);
  });

  it('a listed word in the base itself does not count', () => {
    expect(allowed('/a', 'https://api.example.org/users/')).toBe(true);
    expect(allowed('https://api.example.org/users/a', 'https://api.example.org/users/')).toBe(true);
  });

  it('an empty blocklist still keeps the request below the base', () => {
    expect(checkPath({ base, path: '/users', blocklist: [] }).allow).toBe(true);
    expect(checkPath({ base, path: '/../users', blocklist: [] }).allow).toBe(false);
  });
});

const corpus = new URL('../../../../shared/data/security/path-blocklist.jsonl', import.meta.url);

describe.skipIf(!existsSync(corpus))('the shared corpus (skipped where it is absent)', () => {
  it('is decided as expected', () => {
    const rows = existsSync(corpus)
      ? readFileSync(corpus, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
    const wrong = rows.filter((row) => checkPath(row).allow !== (row.expect === 'allow'));
    expect(wrong.map((row) => row.id)).toEqual([]);
  });
});

describe('an entry for anywhere in the path', () => {
  const anywhere = ['/**/__schedule_mass_delete'];
  const verdict = (path: string) => checkPath({ base, path, blocklist: anywhere }).allow;

  it.each([
    '/__schedule_mass_delete',
    '/Candidates/__schedule_mass_delete',
    '/a/b/__SCHEDULE_MASS_DELETE/c',
    '/a//%5F_schedule_mass_delete',
  ])('%s is closed', (path) => expect(verdict(path)).toBe(false));

  it.each(['/Candidates', '/__schedule_mass_delete_x', '/a/mass_delete'])('%s is free', (path) =>
    expect(verdict(path)).toBe(true),
  );
});
