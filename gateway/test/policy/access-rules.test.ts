import { describe, expect, it } from 'vitest';
import type { Access, AccessRule } from '../../src/operations/index.ts';
import { applyAccessRules, reviewAccessRules } from '../../src/policy/access-rules.ts';
import { operation } from './operations.ts';

const accessAfter = (access: Access, rules: readonly AccessRule[]) =>
  applyAccessRules(
    [operation({ id: 'pets.search', method: 'POST', path: '/pets/search', access })],
    rules,
  )[0]!.access;

describe('applyAccessRules', () => {
  it.each<[string, Access, AccessRule[], Access]>([
    ['no rule', 'write', [], 'write'],
    ['no rule that matches', 'write', [{ tag: 'other', access: 'read' }], 'write'],
    ['a rule that matches', 'write', [{ path: '/**/search', access: 'read' }], 'read'],
    [
      'the last wins',
      'write',
      [
        { method: 'POST', access: 'delete' },
        { operation: 'pets.search', access: 'read' },
      ],
      'read',
    ],
    [
      'the last wins, be it broader',
      'write',
      [{ operation: 'pets.search', access: 'read' }, { access: 'delete' }],
      'delete',
    ],
    ['a rule may forbid', 'read', [{ path: '/pets/**', access: 'dangerous' }], 'dangerous'],
    [
      'forbidden stays forbidden',
      'read',
      [
        { path: '/**', access: 'dangerous' },
        { method: 'POST', access: 'read' },
      ],
      'dangerous',
    ],
  ])('%s', (_, access, rules, expected) => expect(accessAfter(access, rules)).toBe(expected));

  it.each<[Access, boolean, true | undefined]>([
    ['read', false, undefined],
    ['delete', true, undefined],
    // who says that it writes has not said that it destroys nothing
    ['write', false, true],
  ])('a rule of %s for what nobody knows whether it destroys', (access, destructive, destructiveUnknown) => {
    const safety = { network: true, file: true, idempotent: false, openWorld: true };
    const unknown = operation({
      access: 'write',
      safety: { ...safety, destructive: false, destructiveUnknown: true },
    });
    const [after] = applyAccessRules([unknown], [{ operation: unknown.id, access }]);
    expect(after!.access).toBe(access);
    expect(after!.safety).toEqual({
      ...safety,
      destructive,
      ...(destructiveUnknown && { destructiveUnknown }),
    });
  });

  it.each<[Access, Access, boolean]>([
    ['read', 'write', false],
    ['read', 'delete', true],
    ['write', 'write', true],
  ])('from %s to %s: may be repeated: %s', (from, to, idempotent) => {
    const safety = { network: true, file: false, destructive: false, idempotent: true, openWorld: true };
    const known = operation({ access: from, safety });
    const [after] = applyAccessRules([known], [{ operation: known.id, access: to }]);
    expect(after!.safety.idempotent).toBe(idempotent);
  });

  it.each<[string, AccessRule[], Access]>([
    ['not by path', [{ path: '/pets/search', access: 'delete' }], 'dangerous'],
    ['not by everything', [{ access: 'read' }], 'dangerous'],
    ['not with all of its connection', [{ operation: 'pets.*', access: 'delete' }], 'dangerous'],
    ['not to read', [{ operation: 'pets.search', access: 'read' }], 'dangerous'],
    ['not to write', [{ operation: 'pets.search', access: 'write' }], 'dangerous'],
    ['by its id to delete', [{ operation: 'pets.search', access: 'delete' }], 'delete'],
    ['and no further', [{ operation: 'pets.search', access: 'delete' }, { access: 'read' }], 'delete'],
    [
      'nor in a second step',
      [
        { operation: 'pets.search', access: 'delete' },
        { operation: 'pets.search', access: 'read' },
      ],
      'delete',
    ],
    [
      'and back',
      [
        { operation: 'pets.search', access: 'delete' },
        { path: '**', access: 'dangerous' },
      ],
      'dangerous',
    ],
  ])('a dangerous operation is re-classed %s', (_, rules, expected) => {
    expect(accessAfter('dangerous', rules)).toBe(expected);
  });

  it.each<[string, Access, AccessRule[], boolean]>([
    ['was dangerous by its document', 'dangerous', [{ operation: 'searchPets', access: 'delete' }], true],
    [
      'was dangerous by a rule, and has its own access again',
      'delete',
      [
        { path: '/pets/**', access: 'dangerous' },
        { operation: 'searchPets', access: 'delete' },
      ],
      true,
    ],
    ['is dangerous still', 'dangerous', [{ operation: 'searchPets', access: 'read' }], false],
    ['never was', 'write', [{ operation: 'searchPets', access: 'delete' }], false],
  ])(
    'marks for the approvals what was dangerous and is callable now: one that %s',
    (_, access, rules, marked) => {
      const [after] = applyAccessRules(
        [operation({ id: 'searchPets', path: '/pets/search', access })],
        rules,
      );
      expect(after?.enabledDangerous ?? false).toBe(marked);
    },
  );

  it('lets the safety profile follow and leaves the rest alone', () => {
    const kept = operation({ id: 'kept' });
    const deleting = operation({ id: 'deleting', access: 'write' });
    const [same, changed] = applyAccessRules([kept, deleting], [{ operation: 'deleting', access: 'delete' }]);
    expect(same).toBe(kept);
    expect(changed).toEqual({
      ...deleting,
      access: 'delete',
      safety: { ...deleting.safety, destructive: true },
    });
    const destructive = operation({ safety: { ...kept.safety, destructive: true }, access: 'delete' });
    expect(applyAccessRules([destructive], [{ access: 'read' }])[0]!.safety.destructive).toBe(false);
    expect(applyAccessRules([destructive], [{ access: 'write' }])[0]!.safety.destructive).toBe(true);
    expect(applyAccessRules([kept], [{ access: 'write' }])[0]!.safety.destructive).toBe(false);
  });
});

describe('reviewAccessRules', () => {
  it('names rules that match nothing and rules that a dangerous operation refuses', () => {
    const operations = [operation({ id: 'wipe', access: 'dangerous', path: '/wipe' }), operation()];
    const rules: AccessRule[] = [
      { operation: 'wpie', access: 'delete' },
      { access: 'write' },
      { operation: 'wipe', access: 'delete' },
    ];
    expect(reviewAccessRules(operations, rules)).toMatchObject([
      {
        code: 'access-rule-unmatched',
        severity: 'warning',
        pointer: '#/access/0',
        message:
          'Access rule 1 (operation wpie: delete) matches no operation and has no effect. Did you mean "wipe"?',
      },
      { code: 'access-rule-refused', severity: 'warning', pointer: '#/access/1', source: 'pets' },
    ]);
  });
});
