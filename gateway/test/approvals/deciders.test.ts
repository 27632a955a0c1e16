import { describe, expect, it } from 'vitest';
import { checkDecider, maySee } from '../../src/approvals/deciders.ts';
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
