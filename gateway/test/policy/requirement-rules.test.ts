import { describe, expect, it } from 'vitest';
import { applyRequirementRules, reviewRequirementRules } from '../../src/policy/requirement-rules.ts';
import { operation } from './operations.ts';

const operations = [
  operation({ id: 'listPools', path: '/pools', tags: ['pools'] }),
  operation({
    id: 'wipe',
    method: 'DELETE',
    path: '/pools/{pool}/wipe',
    tags: ['pools', 'disks'],
    requirements: { permissions: ['admin'], roles: ['ops'] },
  }),
  operation({ id: 'ping', path: '/ping' }),
];
const needs = (rules: Parameters<typeof applyRequirementRules>[1]) =>
  applyRequirementRules(operations, rules).map(({ requirements }) => requirements);

describe('features', () => {
  it.each([
    ['by tag', { tags: ['disks'] }, [undefined, 'pets.f', undefined]],
    ['by one of its tags', { tags: ['daos', 'disks'] }, [undefined, 'pets.f', undefined]],
    ['by path', { paths: ['/pools/**'] }, ['pets.f', 'pets.f', undefined]],
    ['by operation', { operations: ['ping'] }, [undefined, undefined, 'pets.f']],
    ['by any of them', { tags: ['disks'], operations: ['ping'] }, [undefined, 'pets.f', 'pets.f']],
    ['by nothing', {}, [undefined, undefined, undefined]],
  ])('%s', (_, rule, features) => {
    expect(needs({ features: { f: { ...rule, enabled: true } } }).map((one) => one?.feature)).toEqual(
      features,
    );
  });

  it('by path hold requests alone', () => {
    const plain = { ...operation({ id: 'add' }), invocation: { kind: 'function', function: 'add' } as const };
    const features = { f: { paths: ['/**'], enabled: true } };
    expect(applyRequirementRules([plain], { features })).toEqual([plain]);
  });

  it('an operation of several needs all of them, and keeps what it needed before', () => {
    const features = { a: { tags: ['pools'], enabled: true }, b: { tags: ['disks'], enabled: false } };
    expect(needs({ features })[1]).toEqual({
      permissions: ['admin'],
      roles: ['ops'],
      feature: ['pets.a', 'pets.b'],
    });
  });

  it('are needed beside those that an operation asks for itself', () => {
    const asking = (feature: string | string[]) => operation({ tags: ['pools'], requirements: { feature } });
    const features = { a: { tags: ['pools'], enabled: true } };
    const applied = applyRequirementRules([asking('own'), asking(['own', 'pets.a'])], { features });
    expect(applied.map(({ requirements }) => requirements?.feature)).toEqual([
      ['own', 'pets.a'],
      ['own', 'pets.a'],
    ]);
  });

  it('say how many operations they hold', () => {
    const diagnostics = reviewRequirementRules(operations, {
      features: {
        pools: { tags: ['pools'], enabled: false },
        ping: { operations: ['ping'], enabled: true },
        daos: { tags: ['pool'], enabled: true },
        wiping: { operations: ['wipe', 'pingg'], tags: ['disks'], paths: ['/no/**'], enabled: false },
      },
    });
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['feature-off', 'Feature pools is off: 2 operations are hidden.'],
      ['feature-on', 'Feature ping is on: without it 1 operation is hidden.'],
      ['feature-unmatched', 'Feature daos matches no operation and has no effect. Did you mean "pools"?'],
      ['feature-off', 'Feature wiping is off: 1 operation is hidden.'],
      ['feature-unmatched', 'Feature wiping names /no/** in `paths`, which matches no operation.'],
      [
        'feature-unmatched',
        'Feature wiping names pingg in `operations`, which matches no operation. Did you mean "ping"?',
      ],
    ]);
  });
});

describe('permission rules', () => {
  it('decide over the document, the last that matches over the others', () => {
    const permissions = [
      { path: '/pools/**', permissions: ['pools'] },
      { tag: 'disks', permissions: ['disks', 'disks'] },
    ];
    expect(needs({ permissions })).toEqual([
      { permissions: ['pools'] },
      { permissions: ['disks'], roles: ['ops'] },
      undefined,
    ]);
  });

  it('with an empty list take away what the document asks for', () => {
    expect(needs({ permissions: [{ operation: 'wipe', permissions: [] }] })[1]).toEqual({ roles: ['ops'] });
  });

  it('that match nothing are named', () => {
    expect(
      reviewRequirementRules(operations, { permissions: [{ tag: 'none', permissions: ['x'] }] }),
    ).toMatchObject([
      { code: 'permission-rule-unmatched', severity: 'warning', pointer: '#/permissions/rules/0' },
    ]);
  });
});

it('tags for administrators that no operation has are named: they hide nothing', () => {
  expect(reviewRequirementRules(operations, { adminOnlyTags: ['disks', 'pool', 'Pools'] })).toEqual([
    {
      code: 'admin-tag-unmatched',
      severity: 'warning',
      message:
        '`adminOnlyTags` names pool, which is no tag of an operation and hides no category tool. Did you mean "pools"?',
      pointer: '#/permissions/adminOnlyTags/1',
    },
  ]);
});

it('without rules, operations are the very same', () => {
  expect(applyRequirementRules(operations, {})).toBe(operations);
  const [first, , last] = applyRequirementRules(operations, {
    features: { f: { tags: ['disks'], enabled: true } },
  });
  expect([first, last]).toEqual([operations[0], operations[2]]);
  expect(last).toBe(operations[2]);
});
