import { spawnSync } from 'node:child_process';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { StoredApproval } from '../../src/approvals/records.ts';
import { rowOf } from '../../src/approvals/rows.ts';
import { ToolcribError } from '../../src/errors.ts';
import { createDurableEvents } from '../../src/events/durable-events.ts';
import { recoverOpenCalls } from '../../src/events/recover-open-calls.ts';
import type { ApprovalState, Event, EventBody } from '../../src/operations/index.ts';
import { createEndedProcess } from '../../src/store/ended-process.ts';
import type { Store } from '../../src/store/store.ts';
import { callEnded, callStarted } from '../store/support/records.ts';
import type { StoreBench } from '../store/support/stores.ts';

const note = (message: string): EventBody => ({ type: 'source-failed', source: 'pets', message });
const APPROVAL: StoredApproval = {
  ...{
    id: '1',
    state: 'pending',
    principal: 'ann',
    run: '',
    tool: 'drop',
    source: 'stock',
    operation: 'drop',
  },
  ...{
    access: 'delete',
    definition: 'd',
    argumentsHash: 'a',
    policy: 'p',
    preview: {},
    reason: 'It deletes.',
  },
  ...{ standing: 'arguments', call: 'c', createdAt: 1, expiresAt: 2, rounds: 0 },
};
const messages = (events: readonly Event[]) =>
  events.map((event) => ('message' in event ? event.message : event.type));

/** What the durable log promises, whatever the store is made of. */
export function durableEventCases({ open }: StoreBench): void {
  const log = async (options: Partial<Parameters<typeof createDurableEvents>[0]> = {}) => {
    const store = options.store ?? (await open());
    return { store, events: createDurableEvents({ recover: false, ...options, store }) };
  };

  describe('append', () => {
    it('numbers from one, dates in UTC, freezes, and is there after a restart', async () => {
      const { events } = await log({ now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) });
      const event = await events.append(note('a'));
      const { sequence, ...rest } = event;
      expect(rest).toEqual({
        type: 'source-failed',
        source: 'pets',
        message: 'a',
        time: '2026-01-02T03:04:05.006Z',
      });
      expect(sequence).toBe(1);
      expect(Object.isFrozen(event)).toBe(true);
      await events.close();
      const again = await log();
      expect(await again.events.list()).toEqual([event]);
      expect((await again.events.append(note('b'))).sequence).toBe(2);
    });

    it('keeps the order of asking, and tells subscribers in it before it resolves', async () => {
      const { events } = await log();
      const told: string[] = [];
      const stop = events.subscribe((event) => told.push(...messages([event])));
      const asked = Array.from({ length: 1200 }, (_, index) => `m${index}`);
      const seen: number[] = [];
      const appended = await Promise.all(
        asked.map(async (message) => {
          const event = await events.append(note(message));
          seen.push(told.length);
          return event;
        }),
      );
      expect(told).toEqual(asked);
      expect(seen.every((count, index) => count > index)).toBe(true);
      const sequences = appended.map(({ sequence }) => sequence);
      expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
      stop();
      await events.append(note('nobody hears this'));
      expect(told).toHaveLength(1200);
    });

    it('commits the start of a call that reads with its end, in their order', async () => {
      const { events } = await log();
      const started = events.append(callStarted('a', { access: 'read' }));
      const ended = await events.append(callEnded('a', { access: 'read' }));
      expect(ended.sequence).toBe((await started).sequence + 1);
      expect(messages(await events.list())).toEqual(['call-started', 'call-completed']);
    });

    it('commits the start of a call that reads soon, however long the call takes', async () => {
      const { events } = await log();
      expect(await events.append(callStarted('a', { access: 'read' }))).toMatchObject({ sequence: 1 });
    });

    it('commits a start that was left over when it closes', async () => {
      const { events } = await log();
      const started = events.append(callStarted('a', { access: 'read' }));
      await events.close();
      expect(await started).toMatchObject({ type: 'call-started' });
    });

    it('writes and tells what is left after redaction', async () => {
      const redact = (body: EventBody): EventBody =>
        'message' in body ? ({ ...body, message: '[redacted]' } as EventBody) : body;
      const { events, store } = await log({ redact });
      const told: Event[] = [];
      events.subscribe((event) => told.push(event));
      await events.append(note('token abc'));
      const { body } = await store.database.selectFrom('events').select('body').executeTakeFirstOrThrow();
      expect([body, JSON.stringify(told)].join()).not.toContain('abc');
    });

    describe('a start of which nobody knows whether it was written', () => {
      const SILENT = { code: 'store_unavailable' };
      /** The first append to fail is `lost`: before or after it was written. */
      const failing = async (lost: (write: () => ReturnType<Store['append']>) => Promise<unknown>) => {
        const store = await open();
        let turn = 0;
        const append: Store['append'] = async (entries) => {
          const write = () => store.append(entries);
          if (turn++ > 0) return write();
          await lost(write);
          throw new ToolcribError('store_unavailable', 'Nobody answered.');
        };
        return log({ store: { ...store, append } });
      };
      const told = async ({ events }: Awaited<ReturnType<typeof log>>) =>
        (await events.list()).map((event) => [event.type, 'code' in event ? event.code : undefined]);
      const ended = [
        ['call-started', undefined],
        ['call-failed', 'store_unavailable'],
      ];

      it('has an end where it was', async () => {
        const opened = await failing((write) => write());
        const start = callStarted('c1', { access: 'write' });
        await expect(opened.events.append(start)).rejects.toMatchObject(SILENT);
        await expect.poll(() => told(opened)).toEqual(ended);
        await opened.events.close();
      });

      it('has an end where it is written later than it failed', async () => {
        let late: (() => ReturnType<Store['append']>) | undefined;
        const opened = await failing(async (write) => {
          late = write;
        });
        const start = callStarted('c1', { access: 'write' });
        await expect(opened.events.append(start)).rejects.toMatchObject(SILENT);
        await expect.poll(() => told(opened)).toEqual(ended);
        expect(await late!()).toEqual([undefined]);
        expect(await told(opened)).toEqual(ended);
        await opened.events.close();
      });

      it('stands before the end of a call that reads, which counts once', async () => {
        const opened = await failing(async () => {});
        const start = opened.events.append(callStarted('c1'));
        const end = opened.events.append(callEnded('c1'));
        await expect(start).rejects.toMatchObject(SILENT);
        await end;
        expect(await told(opened)).toEqual([
          ['call-started', undefined],
          ['call-completed', undefined],
        ]);
        const rows = await opened.store.database.selectFrom('skill_usage_logs').selectAll().execute();
        expect(rows).toHaveLength(1);
        await opened.events.close();
      });
    });

    it('never gives a sequence twice, even when all events are deleted', async () => {
      const { events, store } = await log();
      const { sequence } = await events.append(note('a'));
      await store.database.deleteFrom('events').execute();
      expect((await events.append(note('b'))).sequence).toBeGreaterThan(sequence);
    });

    it('numbers the events of two processes strictly upwards in the order of their commits', async () => {
      const [one, two] = [await log(), await log()];
      const reader = await log();
      const seen: number[] = [];
      let reading = true;
      const read = async () => {
        while (reading) {
          const after = seen.at(-1) ?? 0;
          for (const { sequence } of await reader.events.list(after)) seen.push(sequence);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const done = read();
      await Promise.all(
        [one, two].map(async ({ events }, process) => {
          for (let index = 0; index < 60; index++) await events.append(note(`${process}-${index}`));
        }),
      );
      reading = false;
      await done;
      const all = await reader.events.list(0);
      expect(all).toHaveLength(120);
      // a reader that goes on from the last sequence misses none: nothing was committed below it
      expect(all.slice(0, seen.length).map(({ sequence }) => sequence)).toEqual(seen);
    });
  });

  describe('list', () => {
    const filled = async () => {
      const { events } = await log();
      await events.append(note('first'));
      await events.append(callStarted('c1'));
      await events.append(callEnded('c1'));
      await events.append(callStarted('c2', { organisation: 'other' }));
      return events;
    };

    it.each([
      ['everything', undefined, {}, [1, 2, 3, 4]],
      ['the newest', undefined, { limit: 2 }, [3, 4]],
      ['what comes after', 1, { limit: 2 }, [2, 3]],
      ['from the future', 99, {}, []],
      ['one type of call', undefined, { type: 'call-started' }, [2, 4]],
      ['one type beside calls', 0, { type: 'source-failed' }, [1]],
      ['one organisation', undefined, { organisation: 'other' }, [4]],
    ] as const)('%s', async (_, after, query, expected) => {
      const events = await filled();
      const first = (await events.list())[0]!.sequence;
      const listed = await events.list(after === undefined ? undefined : after + first - 1, query);
      expect(listed.map(({ sequence }) => sequence - first + 1)).toEqual(expected);
    });
  });

  describe('follow', () => {
    it('brings what other processes append within a second, in order and once', async () => {
      const [here, there] = [await log(), await log()];
      await there.events.append(note('past'));
      const controller = new AbortController();
      const seen: Event[] = [];
      const following = (async () => {
        for await (const event of here.events.follow(controller.signal, 0)) seen.push(event);
      })();
      await expect.poll(() => messages(seen)).toEqual(['past']);
      await there.events.append(note('there'));
      await expect.poll(() => messages(seen)).toEqual(['past', 'there']);
      await here.events.append(note('here'));
      await expect.poll(() => messages(seen)).toEqual(['past', 'there', 'here']);
      controller.abort();
      await following;
    });

    it('starts with what comes next, and ends without an error', async () => {
      const { events } = await log();
      await events.append(note('past'));
      const controller = new AbortController();
      const iterator = events.follow(controller.signal);
      const next = iterator.next();
      // the reader asks for the newest sequence first; what is appended until then counts as past
      await events.list();
      await events.append(note('next'));
      expect(messages([(await next).value as Event])).toEqual(['next']);
      const pending = iterator.next();
      controller.abort(new Error('gone'));
      expect(await pending).toEqual({ done: true, value: undefined });
    });
  });

  describe('the usage log', () => {
    it('has one row a call, written with its end, and no message', async () => {
      const { events, store } = await log({ now: () => Date.UTC(2026, 10, 21, 23, 59) });
      await events.append(callStarted('c1'));
      expect(await store.database.selectFrom('skill_usage_logs').selectAll().execute()).toEqual([]);
      await events.append(
        callEnded('c1', {
          type: 'call-failed',
          tool: 'ats-proxy',
          code: 'upstream_status',
          message: 'ann@example.com is unknown',
        }),
      );
      const rows = await store.database.selectFrom('skill_usage_logs').selectAll().execute();
      expect(rows).toEqual([
        {
          id: expect.any(Number),
          time: Date.UTC(2026, 10, 21, 23, 59),
          day: '2026-11-21',
          slug: 'ats-proxy',
          organisation_id: 'acme',
          user_id: 'ann',
          source: 'greenhouse',
          operation: 'list_candidates',
          duration_ms: 12.5,
          error_code: 'upstream_status',
        },
      ]);
    });
  });

  describe('after a crash', () => {
    /** A process that is not there any more: its id was just given back. */
    const endedPid = () => spawnSync(process.execPath, ['--version']).pid;
    const gone = (store: Store) =>
      store.database
        .updateTable('processes')
        .set({ pid: endedPid() })
        .where('id', '=', store.process)
        .execute();
    const unseen = (store: Store, ms: number) =>
      store.database
        .updateTable('processes')
        .set({ seen_at: sql`seen_at - ${ms}` })
        .where('id', '=', store.process)
        .execute();
    /** Looks as often as it takes to be sure. */
    const recover = async (store: Store): Promise<readonly Event[]> => {
      let now = 0;
      const hasEnded = createEndedProcess(store, () => now);
      const first = await recoverOpenCalls(store, hasEnded);
      now += 10_000;
      return [...first, ...(await recoverOpenCalls(store, hasEnded))];
    };
    const ends = (events: readonly Event[]) =>
      events.flatMap((event) => (event.type === 'call-failed' ? [[event.call, event.code]] : []));

    it.each([
      ['is gone', gone],
      ['was not seen for 15 seconds', (store: Store) => unseen(store, 16_000)],
    ])('every started call of a process that %s gets its end, once', async (_, end) => {
      const crashed = await log();
      await crashed.events.append(callStarted('done'));
      await crashed.events.append(callEnded('done'));
      await crashed.events.append(callStarted('read'));
      await crashed.events.append(callStarted('write', { access: 'write' }));
      await crashed.events.append(callStarted('delete', { access: 'delete' }));
      await end(crashed.store);
      const sweepers = [await open(), await open()];
      const recovered = (await Promise.all(sweepers.map((store) => recover(store)))).flat();
      expect(ends(recovered)).toEqual([
        ['read', 'interrupted'],
        ['write', 'outcome_unknown'],
        ['delete', 'outcome_unknown'],
      ]);
      const reader = createDurableEvents({ store: sweepers[0]!, recover: false });
      const failed = await reader.list(0, { type: 'call-failed' });
      expect(failed).toEqual(recovered);
      const usage = await sweepers[0]!.database
        .selectFrom('skill_usage_logs')
        .select('error_code')
        .orderBy('id')
        .execute();
      expect(usage.map((row) => row.error_code)).toEqual([
        null,
        'interrupted',
        'outcome_unknown',
        'outcome_unknown',
      ]);
      expect(await recover(sweepers[0]!)).toEqual([]);
    });

    it('what only waited for a person when its process ended changed nothing', async () => {
      const crashed = await log();
      const { database } = crashed.store;
      const asked = async (call: string, ...approvals: readonly (readonly [ApprovalState, string?])[]) => {
        await crashed.events.append(callStarted(call, { access: 'delete' }));
        for (const [place, [state, used]] of approvals.entries()) {
          const approval = { ...APPROVAL, id: `${call}-${place}`, call, state };
          await database
            .insertInto('approvals')
            .values(rowOf(used === undefined ? approval : { ...approval, usedBy: used }))
            .execute();
        }
      };
      await asked('pending', ['pending']);
      await asked('approved', ['approved']);
      await asked('denied', ['denied'], ['pending']);
      await asked('expired', ['expired']);
      await asked('used', ['executing', 'used']);
      await asked('paused', ['executing']);
      await asked('failed', ['failed', 'used']);
      await asked('void', ['stale']);
      await asked('asked again, and went on', ['denied'], ['stale']);
      await asked('asked nobody');
      await asked('named', ['pending']);
      await asked('asks for another', ['executing', 'named']);
      await gone(crashed.store);
      expect(ends(await recover(await open()))).toEqual([
        ['pending', 'interrupted'],
        ['approved', 'interrupted'],
        ['denied', 'interrupted'],
        ['expired', 'interrupted'],
        ['used', 'outcome_unknown'],
        ['paused', 'outcome_unknown'],
        ['failed', 'outcome_unknown'],
        ['void', 'outcome_unknown'],
        ['asked again, and went on', 'outcome_unknown'],
        ['asked nobody', 'outcome_unknown'],
        ['named', 'outcome_unknown'],
        ['asks for another', 'outcome_unknown'],
      ]);
    });

    it('leaves the calls of a process alone that lives', async () => {
      const living = await log();
      await living.events.append(callStarted('open'));
      await unseen(living.store, 14_000);
      expect(await recover(await open())).toEqual([]);
    });

    it('leaves the calls of a process alone that lives beside one that is gone', async () => {
      const [crashed, living] = [await log(), await log()];
      await crashed.events.append(callStarted('lost', { access: 'write' }));
      await living.events.append(callStarted('open', { access: 'write' }));
      await gone(crashed.store);
      expect(ends(await recover(await open()))).toEqual([['lost', 'outcome_unknown']]);
      expect(await living.events.append(callEnded('open'))).toMatchObject({ type: 'call-completed' });
    });

    it('leaves the calls of a process alone that is seen again before they are ended', async () => {
      const living = await log();
      await living.events.append(callStarted('open', { access: 'write' }));
      const seenAgain = async () => {
        await unseen(living.store, -1);
        return true;
      };
      expect(await recoverOpenCalls(await open(), seenAgain)).toEqual([]);
      expect(await living.events.append(callEnded('open'))).toMatchObject({ type: 'call-completed' });
    });

    it('a process that was silent while the store was away, and says again that it lives, keeps its calls', async () => {
      const living = await log();
      await living.events.append(callStarted('long', { access: 'write' }));
      await unseen(living.store, 18_000);
      const other = await open();
      let now = 0;
      const hasEnded = createEndedProcess(other, () => now);
      expect(await recoverOpenCalls(other, hasEnded)).toEqual([]);
      now += 9_999;
      expect(await recoverOpenCalls(other, hasEnded)).toEqual([]);
      await unseen(living.store, -18_000);
      now += 10_000;
      expect(await recoverOpenCalls(other, hasEnded)).toEqual([]);
      expect(await living.events.append(callEnded('long'))).toMatchObject({ type: 'call-completed' });
    });

    it('a process that was taken for dead hears how its call was ended', async () => {
      const sleeper = await log();
      await sleeper.events.append(callStarted('slept', { access: 'write' }));
      await unseen(sleeper.store, 16_000);
      const [recovered] = await recover(await open());
      expect(await sleeper.events.append(callEnded('slept'))).toEqual(recovered);
      expect(await sleeper.events.list(0, { type: 'call-completed' })).toEqual([]);
      expect(await sleeper.store.database.selectFrom('skill_usage_logs').selectAll().execute()).toHaveLength(
        1,
      );
    });

    it('ends more calls than one transaction takes', async () => {
      const crashed = await log();
      await Promise.all(
        Array.from({ length: 1100 }, (_, index) => crashed.events.append(callStarted(`c${index}`))),
      );
      // ended, and not only said to be: this takes long enough for a sign of life
      await crashed.events.close();
      const store = await open();
      expect(await recover(store)).toHaveLength(1100);
      expect(await store.database.selectFrom('processes').selectAll().execute()).toEqual([]);
    });

    it('a log that is opened looks by itself', async () => {
      const crashed = await log();
      await crashed.events.append(callStarted('left', { access: 'write' }));
      await gone(crashed.store);
      const next = await log({ recover: true });
      await expect.poll(async () => ends(await next.events.list())).toEqual([['left', 'outcome_unknown']]);
      await next.events.close();
    });

    it('a log that closes leaves no process behind, and open calls to others', async () => {
      const tidy = await log();
      await tidy.events.append(callStarted('c1'));
      await tidy.events.append(callEnded('c1'));
      await tidy.events.close();
      const hasty = await log();
      await hasty.events.append(callStarted('c2'));
      await hasty.events.close();
      const store = await open();
      expect(await store.database.selectFrom('processes').select('id').execute()).toEqual([
        { id: hasty.store.process },
      ]);
      expect(ends(await recover(store))).toEqual([['c2', 'interrupted']]);
    });
  });
}
