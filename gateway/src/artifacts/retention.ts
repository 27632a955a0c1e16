import type { Store } from '../store/store.ts';
import type { PlacedBytes, PlacedName } from './placed-bytes.ts';

export interface RetentionParts {
  readonly store: Store;
  readonly blobs: PlacedBytes;
  readonly maxTotalBytes: number;
  readonly quotaBytes: number;
  readonly now: () => number;
}

export interface Retention {
  /** Brings owner and total within their limits again, the oldest first, never the artifact just added. */
  added(id: string, owner: string, size: number): Promise<void>;
  /** False where there was none. Throws `artifact_elsewhere`: its bytes would stay. */
  remove(id: string): Promise<boolean>;
  /** Removes the bytes of one that nobody finds any more, then its row. */
  clear(row: Dropped): Promise<void>;
  /** Removes what has expired, and what a crash left unfinished. */
  sweep(): Promise<number>;
}

/** In place of `ready`: the artifact is gone, and its bytes may be there still. */
export const GOING = 2;
/** Rows looked at in one go. */
const BATCH = 200;
/** So many failures at one place, and a sweep leaves it alone: each may have taken its whole time. */
const FAILURES_OF_A_PLACE = 3;
/** The total is added up again so often, milliseconds; in between this process counts what it adds. */
const RECOUNT_MS = 5 * 60 * 1000;
/** No write takes longer, milliseconds. */
const LONGEST_WRITE_MS = 60 * 60 * 1000;

type Dropped = PlacedName & { readonly id: string; readonly created_at: number };

export function createRetention({ store, blobs, maxTotalBytes, quotaBytes, now }: RetentionParts): Retention {
  const { database } = store;
  let total = Number.POSITIVE_INFINITY;
  let counted = Number.NEGATIVE_INFINITY;
  let running: Promise<unknown> = Promise.resolve();

  /** One pass at a time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = running.then(work);
    running = mine.catch(() => undefined);
    return mine;
  };

  const sum = async (owner?: string): Promise<number> => {
    const query = database.selectFrom('artifacts').select((on) => on.fn.sum('size').as('bytes'));
    const { bytes } = await (owner === undefined
      ? query
      : query.where('owner', '=', owner)
    ).executeTakeFirstOrThrow();
    return Number(bytes ?? 0);
  };

  /**
   * Nobody finds it any more, then its bytes go, and the row last: what a crash or a bucket that is away leaves is found
   * again. A renewed one stays.
   */
  const drop = async (row: Dropped): Promise<boolean> => {
    if (!(await hide(row))) return false;
    await clear(row);
    return true;
  };

  const hide = async (row: Dropped): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('artifacts')
      .set({ ready: GOING, size: 0 })
      .where('id', '=', row.id)
      .where('blob', '=', row.blob)
      .where('created_at', '=', row.created_at)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  const clear = async (row: Dropped): Promise<void> => {
    await blobs.remove(row);
    await database.deleteFrom('artifacts').where('id', '=', row.id).where('blob', '=', row.blob).execute();
  };

  /** Answers with the bytes that went. */
  const dropOldest = async (excess: number, kept: string, owner?: string): Promise<number> => {
    let freed = 0;
    while (freed < excess) {
      let query = database
        .selectFrom('artifacts')
        .select(['id', 'blob', 'place', 'size', 'created_at'])
        .where('id', '<>', kept)
        .where('ready', '=', 1)
        .orderBy('created_at')
        .limit(BATCH);
      if (owner !== undefined) query = query.where('owner', '=', owner);
      const rows = await query.execute();
      if (rows.length === 0) return freed;
      for (const row of rows) {
        if (freed >= excess) break;
        if (!(await hide(row))) continue;
        freed += Number(row.size);
        // what cannot be reached now is swept later, and is no fault of what comes in
        await clear(row).catch(() => undefined);
      }
    }
    return freed;
  };

  const sweep = async (): Promise<number> => {
    let removed = 0;
    let last = '';
    const failures: unknown[] = [];
    const failed = new Map<string, number>();
    for (;;) {
      const rows = await database
        .selectFrom('artifacts')
        .select(['id', 'blob', 'place', 'created_at'])
        .where('id', '>', last)
        .where((on) =>
          on.or([
            on('expires_at', '<=', now()),
            on('ready', '=', GOING),
            on.and([on('ready', '=', 0), on('created_at', '<', now() - LONGEST_WRITE_MS)]),
          ]),
        )
        .orderBy('id')
        .limit(BATCH)
        .execute();
      for (const row of rows) {
        const before = failed.get(row.place) ?? 0;
        if (before >= FAILURES_OF_A_PLACE) continue;
        try {
          if (await drop(row)) removed++;
        } catch (error) {
          // those behind it are not kept for that
          failures.push(error);
          failed.set(row.place, before + 1);
        }
      }
      last = rows.at(-1)?.id ?? last;
      if (rows.length < BATCH) break;
    }
    if (failures.length > 0) throw failures[0];
    return removed;
  };

  return {
    added: (id, owner, size) =>
      inTurn(async () => {
        total += size;
        if (performance.now() - counted > RECOUNT_MS) {
          // whoever stores something is not to blame: who sweeps by the clock is told
          await sweep().catch(() => undefined);
          total = await sum();
          counted = performance.now();
        }
        if (quotaBytes < maxTotalBytes) {
          const excess = (await sum(owner)) - quotaBytes;
          if (excess > 0) total -= await dropOldest(excess, id, owner);
        }
        if (total <= maxTotalBytes) return;
        // other processes add and remove too
        total = await sum();
        if (total > maxTotalBytes) total -= await dropOldest(total - maxTotalBytes, id);
      }),
    async remove(id) {
      const row = await database
        .selectFrom('artifacts')
        .select(['id', 'blob', 'place', 'created_at'])
        .where('id', '=', id)
        .where('ready', '=', 1)
        .executeTakeFirst();
      if (row === undefined) return false;
      await blobs.reach(row);
      return drop(row);
    },
    clear,
    sweep: () => inTurn(sweep),
  };
}
