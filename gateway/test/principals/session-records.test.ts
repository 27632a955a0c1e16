import { describe, expect, it } from 'vitest';
import {
  createMemorySessions,
  createStoreSessions,
  type SessionCredential,
  type SessionRecord,
  type SessionRecords,
} from '../../src/principals/index.ts';
import { onEveryStore } from '../store/support/stores.ts';

const ALL = { createdAfter: 0, usedAfter: 0 };
const record = (id: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  credential: { kind: 'owner', proof: 'p' },
  createdAt: 100,
  usedAt: 100,
  ...more,
});

function recordCases(open: () => Promise<SessionRecords>): void {
  it.each<SessionCredential>([
    { kind: 'owner', proof: 'p' },
    { kind: 'token', proof: 'p' },
    { kind: 'approver', proof: 'p' },
    { kind: 'key', id: 'key_1' },
    { kind: 'sign-in', issuer: 'i', subject: 's', roles: ['r'], expiresAt: 1_795_000_000_000 },
    { kind: 'sign-in', issuer: 'i', subject: 's', organisation: 'o', roles: [], expiresAt: 5 },
    { kind: 'sign-in', client: 'c', issuer: 'i', subject: 's', roles: [], expiresAt: 5 },
  ])('keeps %j as it is', async (credential) => {
    const records = await open();
    const kept = record('a', { credential, approver: credential, createdAt: 1_795_000_000_000, usedAt: 7 });
    await records.insert(kept, ALL);
    expect(await records.get('a', ALL)).toEqual(kept);
    expect(await records.get('b', ALL)).toBeUndefined();
  });

  it('knows which have ended, and removes those with the next one', async () => {
    const records = await open();
    await records.insert(record('old', { createdAt: 10 }), ALL);
    await records.insert(record('idle', { usedAt: 10 }), ALL);
    await records.insert(record('good'), ALL);
    const limits = { createdAfter: 10, usedAfter: 10 };
    const found = async () =>
      Promise.all(['old', 'idle', 'good'].map(async (id) => (await records.get(id, limits))?.id));
    expect(await found()).toEqual([undefined, undefined, 'good']);
    expect((await records.get('old', ALL))?.id).toBe('old');
    await records.insert(record('new'), limits);
    expect([await records.get('old', ALL), await records.get('idle', ALL)]).toEqual([undefined, undefined]);
    expect(await found()).toEqual([undefined, undefined, 'good']);
  });

  it('lists those that have not ended, the last used first', async () => {
    const records = await open();
    await records.insert(record('a', { usedAt: 50 }), ALL);
    await records.insert(record('b', { usedAt: 70 }), ALL);
    await records.insert(record('c', { usedAt: 10 }), ALL);
    await records.insert(record('d', { createdAt: 10 }), ALL);
    const listed = await records.list({ createdAfter: 10, usedAfter: 10 });
    expect(listed.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(listed[1]).toEqual(record('a', { usedAt: 50 }));
  });

  const key = (id: string): SessionCredential => ({ kind: 'key', id });
  const signIn = (subject: string, issuer = 'i'): SessionCredential => ({
    kind: 'sign-in',
    issuer,
    subject,
    roles: [],
    expiresAt: 5,
  });

  it.each<[string, SessionCredential, SessionCredential[]]>([
    ['key', key('key_1'), [key('key_2'), signIn('s')]],
    ['person who signs in', signIn('s'), [signIn('t'), signIn('s', 'j'), key('key_1')]],
  ])(
    'of one %s the least recently used give way, and those of all others stay',
    async (_, credential, others) => {
      const records = await open();
      await records.insert(record('owner'), ALL);
      for (const [index, other] of others.entries())
        await records.insert(record(`other${index}`, { credential: other }), ALL);
      for (let made = 0; made < 101; made++)
        await records.insert(record(`s${made}`, { credential, usedAt: 200 + made }), ALL);
      expect(await records.get('s0', ALL)).toBeUndefined();
      const kept = ['s1', 's100', 'owner', ...others.keys().map((index) => `other${index}`)];
      for (const id of kept) expect(await records.get(id, ALL), id).toBeDefined();
      expect(await records.list(ALL)).toHaveLength(101 + others.length);
    },
  );

  it('takes a use, and forgets, and leaves the others as they are', async () => {
    const records = await open();
    await records.insert(record('a'), ALL);
    await records.insert(record('b'), ALL);
    await records.use('a', 200);
    expect(await records.get('a', ALL)).toEqual(record('a', { usedAt: 200 }));
    // another process whose clock is behind takes nothing back
    await records.use('a', 150);
    expect(await records.get('a', ALL)).toEqual(record('a', { usedAt: 200 }));
    expect([await records.remove('a'), await records.remove('a')]).toEqual([true, false]);
    await records.use('a', 300);
    expect(await records.get('a', ALL)).toBeUndefined();
    expect(await records.get('b', ALL)).toEqual(record('b'));
  });
}

describe('in memory', () => {
  recordCases(async () => createMemorySessions());

  it('the oldest give way before there are too many', async () => {
    const records = createMemorySessions();
    for (let made = 0; made <= 1000; made++)
      await records.insert(record(`s${made}`, { credential: { kind: 'key', id: `key_${made}` } }), ALL);
    expect(await records.get('s0', ALL)).toBeUndefined();
    expect(await records.get('s1', ALL)).toBeDefined();
    expect(await records.list(ALL)).toHaveLength(1000);
  });
});

onEveryStore((bench) => {
  recordCases(async () => createStoreSessions(await bench.open()));

  it('a thousand are listed, the last used first and those of one moment by their id', async () => {
    const store = await bench.open();
    const rows = Array.from({ length: 1001 }, (_, n) => ({
      ...{
        id: `s${n}`.padEnd(6, '-'),
        credential: JSON.stringify({ kind: 'owner', proof: 'p' }),
        approver: null,
      },
      ...{ created_at: 100, used_at: n === 7 ? 99 : 100 },
    }));
    await store.database.insertInto('sessions').values(rows.toReversed()).execute();
    const ids = (await createStoreSessions(store).list(ALL)).map(({ id }) => id);
    expect(ids).toEqual(
      rows
        .map(({ id }) => id)
        .filter((id) => id !== rows[7]!.id)
        .sort(),
    );
  });

  it('what one process keeps the others find', async () => {
    const [one, two] = [createStoreSessions(await bench.open()), createStoreSessions(await bench.open())];
    await one.insert(record('a'), ALL);
    expect(await two.remove('a')).toBe(true);
    expect(await one.get('a', ALL)).toBeUndefined();
  });

  it.each([
    '',
    'null',
    '{}',
    '{"kind":"root"}',
    '{"kind":"owner"}',
    '{"kind":"key"}',
    '{"kind":"token","proof":""}',
    '{"kind":"sign-in","issuer":"i","subject":"s","roles":"admin","expiresAt":1}',
    '{"kind":"sign-in","issuer":"i","subject":"s","roles":[],"expiresAt":"1"}',
    '{"kind":"sign-in","issuer":"","subject":"s","roles":[],"expiresAt":1}',
    '{"kind":"sign-in","issuer":"i","roles":[],"expiresAt":1}',
    '{"kind":"sign-in","issuer":"i","subject":"s","organisation":"","roles":[],"expiresAt":1}',
    '{"kind":"sign-in","issuer":"i","subject":"s","roles":["admin",7],"expiresAt":1}',
    '{"kind":"sign-in","client":"","issuer":"i","subject":"s","roles":[],"expiresAt":1}',
  ])('a row that was broken to %j signs nobody in', async (broken) => {
    const store = await bench.open();
    const records = createStoreSessions(store);
    await records.insert(record('a'), ALL);
    await records.insert(record('b'), ALL);
    await store.database.updateTable('sessions').set({ credential: broken }).where('id', '=', 'a').execute();
    await store.database.updateTable('sessions').set({ approver: broken }).where('id', '=', 'b').execute();
    expect([await records.get('a', ALL), await records.get('b', ALL)]).toEqual([undefined, undefined]);
    // nor does it keep anybody from signing in
    await records.insert(record('c'), ALL);
    expect(await records.list(ALL)).toEqual([record('c')]);
  });
});
