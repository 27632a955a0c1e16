import { describe, expect, it } from 'vitest';
import type { Access, Grants, SourceGrant } from '../../src/operations/index.ts';
import { explain, isVisible, refuse } from '../../src/policy/explain.ts';
import { explainTool } from '../../src/policy/explain-tool.ts';
import { grants, sourceGrant } from './grants.ts';
import { operation } from './operations.ts';

const ACCESSES = ['read', 'write', 'delete', 'dangerous'] as const;
const failing = (facts: Parameters<typeof explain>[0], given: Grants, state = {}) =>
  explain(facts, given, state)
    .checks.filter(({ passes }) => !passes)
    .map(({ check }) => check);

describe('every factor', () => {
  it('is given with its value, what it takes and what would change it, also when it passes', () => {
    const needy = operation({
      access: 'write',
      requirements: { roles: ['recruiter', 'owner'], permissions: ['billing'], feature: 'beta' },
    });
    const given = grants({
      principal: { maxAccess: 'write', sources: ['pets'], expiresAt: Date.UTC(2030, 0) },
      sources: {
        pets: sourceGrant({ user: 'read-only', reasons: { admin: 'category:ats', user: 'source:pets' } }),
      },
      roles: ['owner'],
      permissions: ['reports'],
      features: ['alpha'],
    });
    const { visible, callable, checks } = explain(needy, given, { quarantined: true, blocked: false });
    expect({ visible, callable }).toEqual({ visible: false, callable: false });
    expect(checks.map(({ change: _change, ...check }) => Object.values(check))).toEqual([
      ['dangerous', 'write', 'read, write or delete', true],
      ['credential', 'up to write, sources pets, until 2030-01-01T00:00:00.000Z', 'write on pets', true],
      ['admin-level', 'read-write (category:ats)', 'read-write', true],
      ['user-level', 'read-only (source:pets)', 'read-write', false],
      ['connection', 'connected', 'connected', true],
      ['access', 'read-only', 'read-write', false],
      ['roles', 'owner', 'one of recruiter, owner', true],
      ['permissions', 'reports, owner', 'billing', false],
      ['feature', 'alpha', 'beta', false],
      ['quarantine', 'a changed definition that waits for acceptance', 'the accepted definition', false],
      ['blocklist', 'free', 'free', true],
    ]);
    for (const { change } of checks) expect(change).toMatch(/\w.*\.$|^It is the lower/);
    expect(checks.find(({ check }) => check === 'admin-level')?.change).toContain(
      'category ats or source pets',
    );
  });

  it.each<[string, Grants, string[]]>([
    ['a key that only reads', grants({ principal: { maxAccess: 'read' } }), ['credential']],
    ['a key for other sources', grants({ principal: { sources: ['other'] } }), ['credential']],
    ['a key for no source', grants({ principal: { sources: [] } }), ['credential']],
    [
      'an admin who allows reading',
      grants({ sources: { pets: sourceGrant({ admin: 'read-only' }) } }),
      ['admin-level', 'access'],
    ],
    [
      'an admin who disabled it',
      grants({ sources: { pets: sourceGrant({ admin: 'disabled' }) } }),
      ['admin-level', 'access'],
    ],
    [
      'a user who chose reading',
      grants({ sources: { pets: sourceGrant({ user: 'read-only' }) } }),
      ['user-level', 'access'],
    ],
    [
      'nothing set',
      grants({ sources: { pets: sourceGrant({ admin: null, user: null }) } }),
      ['admin-level', 'user-level', 'access'],
    ],
    [
      'no account',
      grants({ sources: { pets: sourceGrant({ connection: 'missing' }) } }),
      ['connection', 'access'],
    ],
    [
      'an account without credential',
      grants({ sources: { pets: sourceGrant({ connection: 'unauthenticated' }) } }),
      ['connection', 'access'],
    ],
    [
      'a disabled account',
      grants({ sources: { pets: sourceGrant({ connection: 'disabled' }) } }),
      ['connection', 'access'],
    ],
    ['no grant at all', grants({ sources: {} }), ['admin-level', 'user-level', 'connection', 'access']],
  ])('%s fails a write by %j', (_, given, checks) => {
    expect(failing(operation({ access: 'write' }), given)).toEqual(checks);
  });

  it.each([
    ['any one role', { roles: ['a', 'b'] }, { roles: ['b'] }, true],
    ['no role', { roles: ['a', 'b'] }, { roles: ['c'] }, false],
    ['all permissions', { permissions: ['a', 'b'] }, { permissions: ['a', 'b'] }, true],
    [
      'a permission by the role of its name',
      { permissions: ['a', 'b'] },
      { permissions: ['a'], roles: ['b'] },
      true,
    ],
    ['one permission of two', { permissions: ['a', 'b'] }, { permissions: ['a'] }, false],
    ['empty requirements', { roles: [], permissions: [] }, {}, true],
    ['a feature that is on', { feature: 'x' }, { features: ['x'] }, true],
    ['a feature that is off', { feature: 'x' }, { features: ['y'], roles: ['x'] }, false],
  ])('%s: %j', (_, requirements, held, visible) => {
    expect(isVisible(operation({ requirements }), grants(held))).toBe(visible);
    expect(explain(operation({ requirements }), grants(held)).visible).toBe(visible);
  });
});

describe('dangerous operations', () => {
  it('are never visible and never callable, whatever is granted', () => {
    const dangerous = operation({ access: 'dangerous' });
    expect(isVisible(dangerous, grants())).toBe(false);
    expect(refuse(dangerous, grants())).toMatchObject({ code: 'tool_forbidden', reason: /^dangerous: / });
    expect(failing(dangerous, grants({ principal: { maxAccess: 'dangerous' as 'delete' } }))).toContain(
      'credential',
    );
  });
});

describe('failing closed', () => {
  it.each([null, undefined, '', 'none', 'admin', 'dangerous', 3])(
    'a credential of access %s allows nothing',
    (maxAccess) => {
      for (const access of ACCESSES) {
        expect(
          isVisible(operation({ access }), grants({ principal: { maxAccess: maxAccess as 'read' } })),
        ).toBe(false);
      }
    },
  );

  it.each([undefined, null, 'none', 'READ'])('an operation of access %s is seen by nobody', (access) => {
    expect(isVisible(operation({ access: access as unknown as Access }), grants())).toBe(false);
  });

  it.each([
    { level: null, admin: null, user: null },
    { level: 'all', admin: 'all', user: 'all' },
    { level: undefined },
    { admin: 'READ-WRITE' },
    { user: undefined },
    { connection: undefined },
    { connection: 'yes' },
  ])('a broken grant %j allows nothing', (broken) => {
    const pets = { ...sourceGrant(), ...broken } as SourceGrant;
    for (const access of ACCESSES) {
      const refused = refuse(operation({ access }), grants({ sources: { pets } }));
      expect(refused, access).toBeDefined();
      expect(isVisible(operation({ access }), grants({ sources: { pets } })), access).toBe(false);
    }
  });

  it('a level that promises more than admin and user allow is not believed', () => {
    const pets = { ...sourceGrant({ admin: 'read-only' }), level: 'read-write' as const };
    expect(isVisible(operation({ access: 'write' }), grants({ sources: { pets } }))).toBe(false);
  });

  it('requirements that cannot be read are held by nobody', () => {
    for (const requirements of [{ roles: 'admin' }, { permissions: {} }, { feature: null }]) {
      const odd = operation({ requirements: requirements as never });
      expect(isVisible(odd, grants({ roles: ['admin'], permissions: ['admin'], features: ['x'] }))).toBe(
        false,
      );
    }
  });

  it('a text in the place of a list names nothing that it contains', () => {
    const sources = 'pets and others' as never;
    expect(isVisible(operation(), grants({ principal: { sources } }))).toBe(false);
    const beta = operation({ requirements: { feature: 'beta' } });
    expect(isVisible(beta, grants({ features: 'alpha, beta' as never }))).toBe(false);
  });

  it('names of prototypes are no sources', () => {
    expect(isVisible(operation({ source: 'constructor' }), grants())).toBe(false);
  });
});

describe('sources that are listed before they are connected', () => {
  const listed = (connection: SourceGrant['connection'], changes: Partial<SourceGrant> = {}) =>
    grants({ sources: { pets: sourceGrant({ connection, whenUnauthenticated: 'list', ...changes }) } });

  it.each(['missing', 'unauthenticated'] as const)(
    '%s: visible, and a call ends as connection_missing',
    (status) => {
      expect(explain(operation(), listed(status))).toMatchObject({ visible: true, callable: false });
      expect(refuse(operation(), listed(status))).toEqual({
        code: 'connection_missing',
        reason: `connection: needs connected, has ${status}`,
      });
    },
  );

  it('still only what the levels would allow', () => {
    expect(isVisible(operation({ access: 'write' }), listed('missing', { user: 'read-only' }))).toBe(false);
    expect(isVisible(operation(), listed('missing', { admin: 'disabled' }))).toBe(false);
    expect(isVisible(operation(), listed('missing', { admin: null }))).toBe(false);
  });

  it('not when the account was disabled', () => {
    expect(isVisible(operation(), listed('disabled'))).toBe(false);
  });
});

describe('refuse', () => {
  it('is undefined for what is allowed, else the code and the first check that fails', () => {
    expect(refuse(operation(), grants())).toBeUndefined();
    expect(refuse(operation({ access: 'delete' }), grants({ principal: { maxAccess: 'read' } }))).toEqual({
      code: 'tool_forbidden',
      reason: 'credential: needs delete on pets, has up to read, all sources',
    });
    expect(refuse(operation(), grants(), { quarantined: true })?.code).toBe('tool_quarantined');
    expect(refuse(operation(), grants(), { blocked: '/users is on the blocklist' })?.code).toBe(
      'path_blocked',
    );
    const apart = grants({ sources: { pets: sourceGrant({ connection: 'missing' }) } });
    expect(refuse(operation(), apart)?.code).toBe('connection_missing');
  });
});

describe('explainTool', () => {
  const entry = (path: string, access: Access = 'read') => {
    const one = operation({ path, access });
    return { tool: { name: 'pets_one' }, facts: one, load: () => one };
  };

  it('names tool, principal and what is requested', () => {
    expect(explainTool(entry('/pets/{id}'), grants(), undefined)).toMatchObject({
      tool: 'pets_one',
      principal: 'ada',
      visible: true,
      callable: true,
      operation: { id: 'listPets', source: 'pets', access: 'read', target: 'GET /pets/{id}' },
    });
  });

  it('says that a changed definition waits for acceptance', () => {
    const told = explainTool({ ...entry('/pets'), quarantined: true }, grants(), undefined);
    expect(told).toMatchObject({ visible: false, callable: false });
    expect(told.checks.find(({ passes }) => !passes)?.check).toBe('quarantine');
  });

  it('looks at the blocklist', () => {
    const check = (path: string) =>
      explainTool(entry(path), grants(), ['/users']).checks.find((one) => one.check === 'blocklist');
    expect(check('/pets/{id}')).toMatchObject({ passes: true, value: 'free' });
    expect(check('/users/{id}')).toMatchObject({ passes: false, value: expect.stringContaining('/users') });
    expect(explainTool(entry('/users'), grants(), undefined).checks.map((one) => one.check)).not.toContain(
      'blocklist',
    );
  });
});
