import { describe, expect, it } from 'vitest';
import { type Access, factsOf, LOCAL_PRINCIPAL, type Principal } from '../../src/operations/index.ts';
import { explain, refusal } from '../../src/policy/explain.ts';
import { deriveVisibility } from '../../src/policy/visibility.ts';
import { operation } from './operations.ts';

const principal = (changes: Partial<Principal> = {}): Principal => ({
  id: 'ada',
  kind: 'token',
  maxAccess: 'read',
  roles: [],
  ...changes,
});

describe('access', () => {
  const levels = ['read', 'write', 'delete'] as const;
  const table = levels.flatMap((granted, g) =>
    (['read', 'write', 'delete', 'dangerous'] as const).map((needed, n) => ({
      granted,
      needed,
      visible: n <= g,
    })),
  );

  it.each(table)('$granted on a $needed operation: $visible', ({ granted, needed, visible }) => {
    expect(explain(operation({ access: needed }), principal({ maxAccess: granted })).visible).toBe(visible);
  });

  it.each([null, undefined, 'none', 'admin', 'dangerous'])(
    'a principal with access %s sees nothing',
    (level) => {
      const nobody = principal({ maxAccess: level as 'read' });
      for (const access of ['read', 'write', 'delete', 'dangerous'] as const) {
        expect(explain(operation({ access }), nobody).visible).toBe(false);
      }
    },
  );

  it('an operation without a known access level is seen by nobody', () => {
    for (const access of [undefined, null, 'none', 'READ']) {
      expect(explain(operation({ access: access as unknown as Access }), LOCAL_PRINCIPAL).visible).toBe(
        false,
      );
    }
  });
});

describe('explain', () => {
  it('gives every check with its value, also those that pass', () => {
    const needy = operation({
      access: 'write',
      requirements: { roles: ['admin', 'owner'], permissions: ['billing'], feature: 'beta' },
    });
    expect(explain(needy, principal({ roles: ['owner'] }), { quarantined: true })).toEqual({
      visible: false,
      checks: [
        { check: 'dangerous', value: 'write', needed: 'read, write or delete', passes: true },
        { check: 'access', value: 'read', needed: 'write', passes: false },
        { check: 'roles', value: 'owner', needed: 'one of admin, owner', passes: true },
        { check: 'permissions', value: 'owner', needed: 'billing', passes: false },
        { check: 'feature', value: 'off', needed: 'beta', passes: false },
        {
          check: 'quarantine',
          value: 'a changed definition that waits for acceptance',
          needed: 'the accepted definition',
          passes: false,
        },
      ],
    });
  });

  it.each([
    ['any one role', { roles: ['a', 'b'] }, ['b'], true],
    ['no role', { roles: ['a', 'b'] }, ['c'], false],
    ['all permissions', { permissions: ['a', 'b'] }, ['a', 'b'], true],
    ['one permission of two', { permissions: ['a', 'b'] }, ['a'], false],
    ['empty requirements', { roles: [], permissions: [] }, [], true],
    ['a feature', { feature: 'x' }, ['x'], false],
  ])('%s: %j', (_, requirements, roles, visible) => {
    expect(explain(operation({ requirements }), principal({ roles })).visible).toBe(visible);
  });
});

describe('refusal', () => {
  it('is undefined for what is allowed and one sentence otherwise', () => {
    expect(refusal(operation(), principal())).toBeUndefined();
    expect(refusal(operation({ access: 'delete' }), principal())).toBe('access: needs delete, has read');
    expect(refusal(operation({ access: 'dangerous' }), LOCAL_PRINCIPAL)).toMatch(/^dangerous: /);
  });
});

describe('deriveVisibility', () => {
  it('keeps the order and gives a reason for each hidden entry', () => {
    const entries = [
      { name: 'a', facts: factsOf(operation()) },
      { name: 'b', facts: factsOf(operation({ access: 'delete' })) },
      { name: 'c', facts: factsOf(operation()), quarantined: true },
      { name: 'd', facts: factsOf(operation()), quarantined: false },
    ];
    const { visible, hidden } = deriveVisibility(entries, principal());
    expect(visible).toEqual([entries[0], entries[3]]);
    expect(
      hidden.map(({ entry, explanation }) => [entry.name, explanation.checks.find((c) => !c.passes)?.check]),
    ).toEqual([
      ['b', 'access'],
      ['c', 'quarantine'],
    ]);
  });
});
