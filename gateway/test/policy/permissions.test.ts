import { describe, expect, it } from 'vitest';
import type { Grants, Requirements, SourceGrant } from '../../src/operations/index.ts';
import type { Question } from '../../src/policy/factor.ts';
import { FACTORS } from '../../src/policy/factors.ts';
import { grants, sourceGrant } from './grants.ts';
import { operation } from './operations.ts';

const factor = (check: string) => FACTORS.find((one) => one.check === check)!;
const question = (
  requirements: unknown,
  held: Parameters<typeof grants>[0] = {},
  grant: Partial<SourceGrant> = {},
): Question => ({
  operation: operation({ requirements: requirements as Requirements }),
  grants: grants(held) as Grants,
  grant: sourceGrant(grant),
  state: {},
});
const passes = (check: string, asked: Question) =>
  !(factor(check).applies?.(asked) ?? true) || factor(check).passes(asked);

describe('permissions', () => {
  const needsAdmin = { permissions: ['admin'] };
  const needsBoth = { permissions: ['viewer', 'pools'] };
  it.each<[string, boolean, unknown, Parameters<typeof grants>[0], Partial<SourceGrant>]>([
    ['held as they are', true, needsAdmin, { permissions: ['admin'] }, {}],
    ['held in other case', true, needsAdmin, { permissions: ['Admin'] }, {}],
    ['held by a role of that name', true, needsAdmin, { roles: ['ADMIN'] }, {}],
    ['not held', false, needsAdmin, { permissions: ['viewer'] }, {}],
    ['all are needed', false, needsBoth, { permissions: ['viewer'] }, {}],
    ['all are held', true, needsBoth, { permissions: ['viewer'], roles: ['pools'] }, {}],
    ['held at the service', true, { permissions: ['viewer'] }, {}, { roles: ['VIEWER'] }],
    ['not held at the service', false, needsAdmin, {}, { roles: ['VIEWER'] }],
    ['an admin of the service holds all of it', true, needsBoth, {}, { roles: ['ADMIN'] }],
    ['so does an administrator', true, needsBoth, {}, { roles: ['ADMINISTRATOR'] }],
    ['and whom the configuration calls one', true, needsBoth, {}, { roles: ['ROOT'], adminRoles: ['ROOT'] }],
    ['which then alone counts', false, needsBoth, {}, { roles: ['ADMIN'], adminRoles: ['ROOT'] }],
    [
      'our own admin is none of an asked service',
      false,
      needsAdmin,
      { roles: ['admin'] },
      { roles: ['VIEWER'] },
    ],
    ['nor where the service could not be asked', false, needsAdmin, { roles: ['admin'] }, { roles: [] }],
    [
      'but a permission that was given counts',
      true,
      { permissions: ['billing'] },
      { permissions: ['billing'] },
      { roles: ['VIEWER'] },
    ],
    ['our own admin does not hold everything', false, { permissions: ['viewer'] }, { roles: ['admin'] }, {}],
    ['nothing is needed', true, { permissions: [] }, {}, {}],
    [
      'what cannot be read is held by nobody',
      false,
      { permissions: 'admin' },
      { permissions: ['admin', '(unreadable)x'] },
      { roles: ['VIEWER'] },
    ],
    [
      'also where it is one of several, and not by who holds all',
      false,
      { permissions: ['viewer', null] },
      { permissions: ['viewer', 'null'] },
      { roles: ['ADMIN'] },
    ],
    ['the Kelvin sign is no k', false, { permissions: ['kiosk'] }, { permissions: ['kios\u212a'] }, {}],
    [
      'unreadable grants hold nothing',
      false,
      needsAdmin,
      { permissions: 'admin' as never, roles: null as never },
      {},
    ],
    [
      'what is no name among those held holds nothing',
      false,
      needsAdmin,
      { permissions: [null, 7] as never },
      {},
    ],
    ['unreadable roles of the service hold nothing', false, needsAdmin, {}, { roles: 'ADMIN' as never }],
  ])('%s', (_, expected, requirements, held, grant) => {
    expect(passes('permissions', question(requirements, held, grant))).toBe(expected);
  });

  it('explain who was asked', () => {
    const asked = question(needsAdmin, { roles: ['admin'], permissions: ['billing'] }, { roles: ['VIEWER'] });
    expect(factor('permissions').value(asked)).toBe('billing, VIEWER (roles by the service)');
    expect(factor('permissions').change(asked)).toContain('The service gives the account a role');
    const refused = { roles: [], reasons: { roles: 'GET /me: the service refuses the credential (401)' } };
    const failed = question(needsAdmin, {}, refused);
    expect(factor('permissions').value(failed)).toContain('refuses the credential');
    expect(factor('permissions').change(failed)).toContain('correct the credential or `permissions.probe`');
    expect(factor('permissions').value(question(needsAdmin))).toBe('none');
  });
});

describe('features', () => {
  it.each<[string, boolean, unknown, readonly string[]]>([
    ['one, switched on', true, 'ceph.daos', ['ceph.daos']],
    ['one, switched off', false, 'ceph.daos', ['ceph.other']],
    ['several, all on', true, ['ceph.a', 'ceph.b'], ['ceph.b', 'ceph.a']],
    ['several, one off', false, ['ceph.a', 'ceph.b'], ['ceph.a']],
    ['none', true, [], []],
    ['what is no name', false, { daos: true }, ['ceph.daos']],
    ['null', false, null, ['ceph.daos']],
  ])('%s', (_, expected, feature, features) => {
    expect(passes('feature', question({ feature }, { features }))).toBe(expected);
  });

  it('are named, all of them', () => {
    expect(factor('feature').needed(question({ feature: ['ceph.a', 'ceph.b'] }))).toBe('ceph.a, ceph.b');
  });
});
