import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createRateLimiter } from '../../src/router/rate-limit.ts';
import { storeSlots } from '../../src/router/rate-limit-slots.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreBench } from '../store/support/stores.ts';

const never = new AbortController().signal;
const soon = () => Date.now() + 15_000;

/** Writes down every admission by the database's clock. */
async function watchAdmissions({ database, dialect }: Store): Promise<() => Promise<number[]>> {
  const statements =
    dialect === 'sqlite'
      ? [
          'create table admissions (at integer not null)',
          'create trigger admitted after update on rate_slots begin insert into admissions values (new.admitted_at); end',
        ]
      : [
          'create table admissions (at bigint not null)',
          `create function admitted() returns trigger language plpgsql as
            $$ begin insert into admissions values (new.admitted_at); return new; end $$`,
          'create trigger admitted after update on rate_slots for each row execute function admitted()',
        ];
  for (const statement of statements) await sql.raw(statement).execute(database);
  return async () => {
    const { rows } = await sql<{ at: number }>`select at from admissions order by at`.execute(database);
    return rows.map(({ at }) => Number(at));
  };
}

/** Two limiters of two processes on one store. */
export function sharedLimitCases({ open }: StoreBench): void {
  it('no window holds more than the limit, whichever processes ask, and nobody is forgotten', async () => {
    const [one, two] = [await open(), await open()];
    const admissions = await watchAdmissions(one);
    const limiters = [createRateLimiter(one), createRateLimiter(two)];
    const limit = { requests: 8, windowSeconds: 0.4 };
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        limiters[index % 2]!.admit('greenhouse:acme', limit, never, soon()),
      ),
    );
    const times = await admissions();
    expect(times).toHaveLength(40);
    for (const [index, at] of times.entries()) {
      const eighthBefore = times[index - limit.requests];
      if (eighthBefore !== undefined) expect(at - eighthBefore).toBeGreaterThanOrEqual(400);
    }
  });

  it('the window of a request begins when it is answered, for every process', async () => {
    const [one, two] = [await open(), await open()];
    const limit = { requests: 1, windowSeconds: 60 };
    const answered = await createRateLimiter(one).admit('a', limit, never, soon());
    const taken = () => one.database.selectFrom('rate_slots').select('admitted_at').executeTakeFirstOrThrow();
    await one.database.updateTable('rate_slots').set({ admitted_at: 1 }).execute();
    answered();
    await expect.poll(async () => (await taken()).admitted_at).toBeGreaterThan(1);
    await expect(createRateLimiter(two).admit('a', limit, never, soon())).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });

  it('a slot is free one window after its answer and no earlier, for its connection alone', async () => {
    const store = await open();
    const { database } = store;
    const slots = storeSlots(store);
    const limit = { requests: 2, windowSeconds: 60 };
    const rows = async () => {
      const kept = await database.selectFrom('rate_slots').selectAll().execute();
      return new Map(kept.map((row) => [`${row.connection}${row.slot}`, Number(row.admitted_at)]));
    };
    const age = (connection: string, slot: number, ms: number) =>
      database
        .updateTable('rate_slots')
        .set({ admitted_at: sql`admitted_at - ${sql.raw(String(ms))}` })
        .where('connection', '=', connection)
        .where('slot', '=', slot)
        .execute();
    const taken = (slot: number) => ({ taken: true, slot });
    for (const connection of ['a', 'b'])
      for (const slot of [0, 1]) expect(await slots.claim(connection, limit)).toEqual(taken(slot));
    await age('b', 0, 60_001);
    await age('a', 1, 50_000);
    expect(await slots.claim('a', limit)).toMatchObject({ taken: false });
    await age('a', 1, 10_001);
    expect(await slots.claim('a', { ...limit, requests: 1 })).toMatchObject({ taken: false });
    await age('b', 1, 5_000);
    const before = await rows();
    expect(await slots.claim('a', limit)).toEqual(taken(1));
    expect(await slots.claim('a', limit)).toMatchObject({ taken: false });
    await age('a', 1, 5_000);
    const claimed = await rows();
    for (const row of ['a0', 'b0', 'b1']) expect(claimed.get(row), row).toBe(before.get(row));
    slots.settle('b', 1);
    await expect.poll(async () => (await rows()).get('b1')).toBeGreaterThan(before.get('b1')!);
    for (const row of ['a0', 'a1', 'b0']) expect((await rows()).get(row), row).toBe(claimed.get(row));
  });

  it('connections do not wait for each other', async () => {
    const limiter = createRateLimiter(await open());
    const limit = { requests: 1, windowSeconds: 60 };
    await limiter.admit('a', limit, never, soon());
    await limiter.admit('b', limit, never, soon());
    await expect(limiter.admit('a', limit, never, soon())).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('what one process used up is used up for the other: it hears at once when it could', async () => {
    const [one, two] = [await open(), await open()];
    const limit = { requests: 2, windowSeconds: 60 };
    await createRateLimiter(one).admit('a', limit, never, soon());
    await createRateLimiter(one).admit('a', limit, never, soon());
    const refused = await createRateLimiter(two)
      .admit('a', limit, never, soon())
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'rate_limited', details: { connection: 'a' } });
    const { retryAfterMs } = (refused as { details: { retryAfterMs: number } }).details;
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_001);
  });

  it('a larger limit holds from the next request, and so does a smaller one', async () => {
    const limiter = createRateLimiter(await open());
    const windowSeconds = 60;
    await limiter.admit('a', { requests: 1, windowSeconds }, never, soon());
    for (let count = 0; count < 2; count++)
      await limiter.admit('a', { requests: 3, windowSeconds }, never, soon());
    for (const requests of [3, 2])
      await expect(limiter.admit('a', { requests, windowSeconds }, never, soon())).rejects.toMatchObject({
        code: 'rate_limited',
      });
  });

  it('a clock that was set back costs at most one window', async () => {
    const store = await open();
    const limiter = createRateLimiter(store);
    const limit = { requests: 1, windowSeconds: 0.4 };
    await limiter.admit('a', limit, never, soon());
    await store.database.updateTable('rate_slots').set({ admitted_at: sql`admitted_at + 3600000` }).execute();
    await limiter.admit('a', limit, never, soon());
  });

  it('lets nobody through when the store cannot be asked', async () => {
    const store = await open();
    const limiter = createRateLimiter(store);
    const answered = await limiter.admit('b', { requests: 1, windowSeconds: 1 }, never, soon());
    await store.close();
    // nobody waits for it, and nothing comes of its failure
    answered();
    await expect(limiter.admit('a', { requests: 1, windowSeconds: 1 }, never, soon())).rejects.toThrow();
  });
}
