import { describe, expect, it } from 'vitest';
import { checkDecider, deciderName, maySee } from '../../src/approvals/deciders.ts';
import type { Principal } from '../../src/operations/index.ts';

/** Of the owner of the process: it belongs to no organisation. */
const OWN = { id: 'a1', principal: 'local', source: 'stock' } as const;
const STRANGER: Principal = {
  id: 'eve',
  kind: 'user',
  maxAccess: 'delete',
  roles: ['admin'],
  purpose: 'approve',
};

describe('an approval of no organisation', () => {
  it('is nothing to users, of whatever organisation, also of none', () => {
    for (const principal of [STRANGER, { ...STRANGER, organisation: 'acme' }]) {
      const viewer = { kind: 'user', principal, roles: ['admin'] } as const;
      expect(maySee(OWN, viewer, ['admin'])).toBe(false);
      expect(() => checkDecider(OWN, viewer, ['admin'])).toThrow(
        expect.objectContaining({ code: 'approval_unknown' }),
      );
    }
    expect(maySee(OWN, { kind: 'operator' }, [])).toBe(true);
  });

  it('is nothing to whoever decides by a way that is not known', () => {
    expect(() => checkDecider(OWN, { kind: 'guest' } as never, ['admin'])).toThrow(
      expect.objectContaining({ code: 'approval_unknown' }),
    );
  });
});

describe('an approval of an organisation', () => {
  const approval = { ...OWN, organisation: 'acme' } as const;
  const user = (changes: Partial<Principal>, roles: readonly string[]) =>
    ({
      kind: 'user',
      channel: 'http',
      principal: { ...STRANGER, organisation: 'acme', ...changes },
      roles,
    }) as const;

  it('is seen by those of the role that decides, by nobody for another role', () => {
    expect(maySee(approval, user({}, ['reader']), ['admin'])).toBe(false);
    expect(maySee(approval, user({}, ['reader', 'admin']), ['admin'])).toBe(true);
  });

  it('is decided by a key that calls nothing, where it is not limited to sources', () => {
    const by = user({ sources: [] }, ['admin']);
    expect(() => checkDecider(approval, by, ['admin'])).not.toThrow();
    expect(() => checkDecider(approval, user({ sources: [], decides: [] }, ['admin']), ['admin'])).toThrow(
      expect.objectContaining({ code: 'approval_unknown' }),
    );
  });
});

it('a decision is written down as of who took it, by the way they took', () => {
  const principal = STRANGER;
  expect(deciderName({ kind: 'link', approval: 'a1' })).toEqual({ id: 'link', channel: 'link' });
  expect(deciderName({ kind: 'caller', principal })).toEqual({ id: 'eve', channel: 'elicitation' });
  expect(deciderName({ kind: 'user', channel: 'console', principal, roles: [] })).toEqual({
    id: 'eve',
    channel: 'console',
  });
  expect(deciderName({ kind: 'operator', channel: 'cli', id: 'owner' })).toEqual({
    id: 'owner',
    channel: 'cli',
  });
});
