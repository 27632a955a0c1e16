import { describe, expect, it } from 'vitest';
import { entryOf } from '../../src/events/event-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { prune } from '../../src/usage/prune.ts';
import { queryUsage } from '../../src/usage/query-usage.ts';
import { callEnded, callStarted } from '../store/support/records.ts';
import type { StoreBench } from '../store/support/stores.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 10, 1, 12);

async function addCalls(
  store: Store,
  calls: ReadonlyArray<
    readonly [day: number, organisation: string, user: string, operation: string, code?: string]
  >,
): Promise<void> {
  for (const [index, [day, organisation, principal, operation, code]] of calls.entries()) {
    const facts = { organisation, principal, operation };
    const end = code === undefined ? {} : ({ type: 'call-failed', code } as const);
    await store.append([
      entryOf(callStarted(`c${index}`, facts), FIRST + day * DAY, store.process),
      entryOf(
        callEnded(`c${index}`, { ...facts, ...end, durationMs: 10 * (index + 1) }),
        FIRST + day * DAY,
        store.process,
      ),
    ]);
  }
}

export function usageCases({ open }: StoreBench): void {
  describe('queryUsage', () => {
    const filled = async () => {
      const store = await open();
      await addCalls(store, [
        [0, 'acme', 'ann', 'list'],
        [0, 'acme', 'bob', 'list', 'upstream_status'],
        [1, 'acme', 'ann', 'create'],
        [2, 'other', 'eve', 'list'],
      ]);
      return store;
    };

    it('sums what a group did', async () => {
      expect(await queryUsage(await filled(), { organisation: 'acme', groupBy: 'day' })).toEqual([
        { key: '2026-11-01', calls: 2, errors: 1, totalMs: 30, meanMs: 15, maxMs: 20 },
        { key: '2026-11-02', calls: 1, errors: 0, totalMs: 30, meanMs: 30, maxMs: 30 },
      ]);
    });

    it('adds up calls of some sources alone', async () => {
      const store = await filled();
      const calls = async (sources: readonly string[]) =>
        (await queryUsage(store, { sources, groupBy: 'source' })).map(({ calls: sum }) => sum);
      const all = (await queryUsage(store, { groupBy: 'source' })).map(({ key }) => key!);
      expect(await calls(all)).toEqual([4]);
      expect([await calls(['none']), await calls([])]).toEqual([[], []]);
    });

    it('counts a call that waits for a person as no error', async () => {
      const store = await open();
      await addCalls(store, [
        [0, 'acme', 'ann', 'delete', 'approval_required'],
        [0, 'acme', 'ann', 'delete', 'approval_rejected'],
        [0, 'acme', 'ann', 'delete'],
      ]);
      const [day] = await queryUsage(store, { groupBy: 'day' });
      expect(day).toMatchObject({ calls: 3, errors: 1 });
    });

    it.each([
      [
        'users',
        { groupBy: 'user' },
        [
          ['ann', 2],
          ['bob', 1],
          ['eve', 1],
        ],
      ],
      [
        'operations',
        { groupBy: 'operation' },
        [
          ['list', 3],
          ['create', 1],
        ],
      ],
      ['sources', { groupBy: 'source' }, [['greenhouse', 4]]],
      [
        'organisations',
        { groupBy: 'organisation' },
        [
          ['acme', 3],
          ['other', 1],
        ],
      ],
      ['one organisation', { groupBy: 'user', organisation: 'other' }, [['eve', 1]]],
      [
        'one user',
        { groupBy: 'day', user: 'ann' },
        [
          ['2026-11-01', 1],
          ['2026-11-02', 1],
        ],
      ],
      ['one operation', { groupBy: 'user', operation: 'create' }, [['ann', 1]]],
      ['another source', { groupBy: 'user', source: 'lever' }, []],
      [
        'from a day',
        { groupBy: 'day', from: '2026-11-02' },
        [
          ['2026-11-02', 1],
          ['2026-11-03', 1],
        ],
      ],
      ['to a day', { groupBy: 'day', to: '2026-11-01' }, [['2026-11-01', 2]]],
      ['the largest group', { groupBy: 'user', limit: 1 }, [['ann', 2]]],
    ] as const)('%s', async (_, query, expected) => {
      const rows = await queryUsage(await filled(), query);
      expect(rows.map(({ key, calls }) => [key, calls])).toEqual(expected);
    });
  });

  describe('prune', () => {
    it('deletes what is older than its days, and nothing else', async () => {
      const store = await open();
      await addCalls(
        store,
        Array.from({ length: 8 }, (_, day) => [day, 'acme', 'ann', 'list'] as const),
      );
      const now = () => FIRST + 7 * DAY;
      expect(await prune(store, { eventDays: 2, usageDays: 5 }, { now })).toEqual({ events: 10, usage: 2 });
      expect(await prune(store, { eventDays: 2, usageDays: 5 }, { now })).toEqual({ events: 0, usage: 0 });
      const days = await queryUsage(store, { groupBy: 'day' });
      expect(days.map(({ key }) => key)).toEqual(
        ['03', '04', '05', '06', '07', '08'].map((day) => `2026-11-${day}`),
      );
    });

    it('goes on until everything old is gone', async () => {
      const store = await open();
      const entries = Array.from({ length: 1300 }, (_, index) =>
        entryOf(callEnded(`old${index}`), FIRST, store.process),
      );
      await store.append(entries);
      await addCalls(store, [[9, 'acme', 'ann', 'list']]);
      const now = () => FIRST + 10 * DAY;
      expect(await prune(store, { eventDays: 5, usageDays: 5 }, { now })).toEqual({
        events: 1300,
        usage: 1300,
      });
    });

    it('goes on past what a clock that was wrong wrote', async () => {
      const store = await open();
      const write = (name: string, count: number, time: number) =>
        store.append(
          Array.from({ length: count }, (_, at) => entryOf(callEnded(`${name}${at}`), time, store.process)),
        );
      await write('before', 10, FIRST);
      await write('ahead', 1100, FIRST + 1000 * DAY);
      await write('after', 10, FIRST + DAY);
      await write('now', 1, FIRST + 10 * DAY);
      const now = () => FIRST + 10 * DAY;
      expect(await prune(store, { eventDays: 5, usageDays: 5 }, { now })).toEqual({ events: 20, usage: 20 });
    });

    it('forgets the slots of connections that nobody has used for a day', async () => {
      const store = await open();
      const slots = [
        { connection: 'idle', slot: 0, admitted_at: 0 },
        { connection: 'busy', slot: 0, admitted_at: Date.now() },
        { connection: 'busy', slot: 1, admitted_at: 0 },
      ];
      await store.database.insertInto('rate_slots').values(slots).execute();
      await prune(store, { eventDays: 1, usageDays: 1 });
      const left = await store.database.selectFrom('rate_slots').select('connection').execute();
      expect(left.map(({ connection }) => connection)).toEqual(['busy', 'busy']);
    });
  });
}
