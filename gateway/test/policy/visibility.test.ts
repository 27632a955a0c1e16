import { describe, expect, it } from 'vitest';
import { factsOf, LOCAL_PRINCIPAL } from '../../src/operations/index.ts';
import { isVisible } from '../../src/policy/explain.ts';
import { localGrants } from '../../src/policy/local-grants.ts';
import type { SourceAccess } from '../../src/policy/source-access.ts';
import { deriveVisibility } from '../../src/policy/visibility.ts';
import { grants, sourceGrant } from './grants.ts';
import { operation } from './operations.ts';

describe('deriveVisibility', () => {
  it('keeps the order and gives a reason for each hidden entry', () => {
    const entries = [
      { name: 'a', facts: factsOf(operation()) },
      { name: 'b', facts: factsOf(operation({ access: 'delete' })) },
      { name: 'c', facts: factsOf(operation()), quarantined: true },
      { name: 'd', facts: factsOf(operation()), quarantined: false },
      { name: 'e', facts: factsOf(operation({ source: 'others' })) },
      { name: 'f', facts: factsOf(operation({ access: 'dangerous' })) },
    ];
    const reader = grants({ sources: { pets: sourceGrant({ user: 'read-only' }) } });
    const { visible, hidden } = deriveVisibility(entries, reader);
    expect(visible).toEqual([entries[0], entries[3]]);
    expect(
      hidden.map(({ entry, explanation }) => [entry.name, explanation.checks.find((c) => !c.passes)?.check]),
    ).toEqual([
      ['b', 'user-level'],
      ['c', 'quarantine'],
      ['e', 'admin-level'],
      ['f', 'dangerous'],
    ]);
  });

  it.each([
    ['read-write', ['read', 'write', 'delete']],
    ['read-only', ['read']],
    ['disabled', []],
    ['none', []],
  ] as const)('an effective level of %s exposes %j', (level, exposed) => {
    const entries = (['read', 'write', 'delete', 'dangerous'] as const).map((access) => ({
      facts: factsOf(operation({ access })),
    }));
    const given = grants({ sources: { pets: sourceGrant({ admin: level }) } });
    expect(deriveVisibility(entries, given).visible.map(({ facts }) => facts.access)).toEqual(exposed);
  });
});

describe('localGrants', () => {
  const source = (changes: Partial<SourceAccess> = {}): SourceAccess => ({
    category: 'api',
    connections: 'shared',
    whenUnauthenticated: 'hide',
    ...changes,
  });
  const sees = (changes: Partial<SourceAccess>, access: 'read' | 'delete' | 'dangerous' = 'delete') =>
    isVisible(operation({ access }), localGrants(LOCAL_PRINCIPAL, { pets: source(changes) }));

  it('the owner of the process may do everything with what is configured, but nothing dangerous', () => {
    expect(sees({})).toBe(true);
    expect(sees({}, 'dangerous')).toBe(false);
    expect(isVisible(operation({ source: 'others' }), localGrants(LOCAL_PRINCIPAL, { pets: source() }))).toBe(
      false,
    );
  });

  it('a source whose account is not connected is hidden, or listed where it says so', () => {
    expect(sees({ connection: 'unauthenticated' })).toBe(false);
    expect(sees({ connection: 'unauthenticated', whenUnauthenticated: 'list' })).toBe(true);
    expect(sees({ connections: 'records' })).toBe(false);
    expect(sees({ connections: 'records', connection: 'connected' })).toBe(true);
  });

  it('equal stamps mean equal grants', () => {
    const stamp = (changes: Partial<SourceAccess>, principal = LOCAL_PRINCIPAL) =>
      localGrants(principal, { pets: source(changes) }).stamp;
    expect(stamp({})).toBe(stamp({}));
    expect(stamp({ connection: 'unauthenticated' })).not.toBe(stamp({}));
    expect(stamp({}, { ...LOCAL_PRINCIPAL, maxAccess: 'read' })).not.toBe(stamp({}));
  });
});
