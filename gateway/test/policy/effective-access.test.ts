import { describe, expect, it } from 'vitest';
import type { Access, AccessLevel, ConnectionStatus } from '../../src/operations/index.ts';
import { allows, effectiveLevel } from '../../src/policy/effective-access.ts';

describe('the table of the origin', () => {
  it.each([
    ['read-write', 'read-write', 'connected', 'read-write'],
    ['read-write', 'read-only', 'connected', 'read-only'],
    ['read-only', 'read-write', 'connected', 'read-only'],
    ['disabled', 'read-write', 'connected', 'disabled'],
    ['disabled', 'none', 'missing', 'disabled'],
    ['read-write', 'read-write', 'missing', 'none'],
  ] as const)('admin %s, user %s, %s: %s', (admin, user, connection, level) => {
    expect(effectiveLevel({ admin, user, connection })).toBe(level);
  });
});

describe('every combination', () => {
  const garbage = [null, undefined, '', 'READ-WRITE', 'read-write ', 'write', true, 2, {}, ['read-write']];
  const levels: unknown[] = ['read-write', 'read-only', 'disabled', 'none', ...garbage];
  const connections: unknown[] = [
    'connected',
    'unauthenticated',
    'disabled',
    'missing',
    null,
    undefined,
    'CONNECTED',
    true,
  ];
  const rows = levels.flatMap((admin) =>
    levels.flatMap((user) => connections.map((connection) => ({ admin, user, connection }))),
  );
  const order = ['none', 'read-only', 'read-write'];
  const rank = (level: unknown) => Math.max(order.indexOf(level as string), 0);

  it(`is the lower of both when connected, none when not, and disabled before all (${rows.length} rows)`, () => {
    for (const row of rows) {
      const { admin, user, connection } = row;
      const expected =
        admin === 'disabled' || user === 'disabled'
          ? 'disabled'
          : connection === 'connected'
            ? order[Math.min(rank(admin), rank(user))]
            : 'none';
      const level = effectiveLevel({
        admin: admin as AccessLevel,
        user: user as AccessLevel,
        connection: connection as ConnectionStatus,
      });
      expect(level, JSON.stringify(row)).toBe(expected);
    }
  });
});

describe('what a level allows', () => {
  it.each([
    ['read-write', ['read', 'write', 'delete']],
    ['read-only', ['read']],
    ['disabled', []],
    ['none', []],
    [null, []],
    [undefined, []],
    ['everything', []],
  ])('%s allows %j', (level, allowed) => {
    const accesses = ['read', 'write', 'delete', 'dangerous', 'READ', null, undefined];
    expect(accesses.filter((access) => allows(level as AccessLevel, access as Access))).toEqual(allowed);
  });
});
