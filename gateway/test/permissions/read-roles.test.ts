import { describe, expect, it } from 'vitest';
import { readRoles } from '../../src/permissions/read-roles.ts';

const read = (status: number, body: string | Uint8Array, pointer = '/roles') =>
  readRoles({ status, body: typeof body === 'string' ? Buffer.from(body) : body }, pointer);
const known = (...roles: string[]) => ({ status: 'known', roles });

describe('the roles in the answer to a probe', () => {
  it.each([
    ['a list', '{"roles":["ADMIN"]}', '/roles', known('ADMIN')],
    [
      'in any case, once, sorted',
      '{"roles":["viewer","Admin","VIEWER "]}',
      '/roles',
      known('ADMIN', 'VIEWER'),
    ],
    ['an empty list: who may look', '{"roles":[]}', '/roles', known('VIEWER')],
    ['whose letters only look so', '{"roles":["adm\u0131n"]}', '/roles', known('ADM\u0131N')],
    ['at a nested place', '{"user":{"a/b":["ops"]}}', '/user/a~1b', known('OPS')],
    ['the whole answer', '["ops"]', '', known('OPS')],
  ])('%s', (_, body, pointer, expected) => {
    expect(read(200, body, pointer)).toEqual(expected);
  });

  it.each([
    ['401', 401, '{"roles":["ADMIN"]}', 'unauthenticated'],
    ['403', 403, '{"roles":["ADMIN"]}', 'failed'],
    ['204', 204, '', 'failed'],
    ['201 is not 200', 201, '{"roles":["ADMIN"]}', 'failed'],
    ['500', 500, '{"roles":["ADMIN"]}', 'failed'],
    ['a redirect', 302, '', 'failed'],
    ['a page', 200, '<html>Sign in</html>', 'failed'],
    ['no list', 200, '{"roles":"ADMIN"}', 'failed'],
    ['nothing there', 200, '{}', 'failed'],
    ['null', 200, '{"roles":null}', 'failed'],
    ['what is no text among them', 200, '{"roles":["ADMIN",{"name":"x"}]}', 'failed'],
    ['an empty name', 200, '{"roles":[" "]}', 'failed'],
    ['too many', 200, JSON.stringify({ roles: Array.from({ length: 201 }, (_, i) => `r${i}`) }), 'failed'],
    ['hidden characters', 200, '{"roles":["AD\u200bMIN"]}', 'failed'],
    ["a terminal's escapes", 200, '{"roles":["\\u001b[2JADMIN"]}', 'failed'],
    ['one too long', 200, JSON.stringify({ roles: ['r'.repeat(129)] }), 'failed'],
  ])('none from %s', (_, status, body, outcome) => {
    const roles = read(status, body);
    expect(roles.status).toBe(outcome);
    expect('roles' in roles).toBe(false);
  });

  it.each([401, 403])('a %i tells whether there was a credential that could be refused', (status) => {
    const body = Buffer.from('');
    expect(readRoles({ status, body, isAnonymous: true }, '/roles')).toMatchObject({
      reason: `the service answered ${status} and was sent no credential: \`headers\` of the source hold one where the description names no way to sign in`,
    });
    expect(JSON.stringify(read(status, ''))).not.toContain('no credential');
  });

  it('as many as there may be, as long as they may be', () => {
    const most = Array.from({ length: 200 }, (_, at) => `${at}`.padEnd(128, 'R'));
    expect(read(200, JSON.stringify({ roles: most }))).toEqual(known(...most.sort()));
  });

  it('none from bytes that are no UTF-8, and none that everybody inherits', () => {
    expect(read(200, Buffer.from([0x7b, 0xff, 0x7d])).status).toBe('failed');
    expect(read(200, Buffer.from('{"roles":["ADMIN\xff"]}', 'latin1')).status).toBe('failed');
    expect(read(200, '{}', '/constructor').status).toBe('failed');
    expect(read(200, '{"roles":["ADMIN"]}', 'roles').status).toBe('failed');
  });
});
