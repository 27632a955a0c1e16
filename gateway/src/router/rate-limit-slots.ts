import { CompiledQuery } from 'kysely';
import type { RateLimit } from '../operations/index.ts';
import type { Store } from '../store/store.ts';

/** Either a slot was taken, or the waits until the slots come free, milliseconds, shortest first. */
export type Claim =
  | { readonly taken: true; readonly slot: number }
  | { readonly taken: false; readonly waits: readonly number[] };

/**
 * A limit of N requests has N slots. A slot is taken again one window after its request was answered at the earliest:
 * wherever on its way each request arrived, no window at the service ever holds more than N.
 */
export interface Slots {
  claim(connection: string, limit: RateLimit): Promise<Claim>;
  /** The slot's request is answered: its window begins now. Nobody waits for it. */
  settle(connection: string, slot: number): void;
}

/** For one process; `now` counts milliseconds and never goes back. */
export function memorySlots(now: () => number = () => performance.now()): Slots {
  const kept = new Map<string, number[]>();
  return {
    async claim(connection, { requests, windowSeconds }) {
      const windowMs = windowSeconds * 1000;
      const slots = kept.get(connection) ?? [];
      kept.set(connection, slots);
      while (slots.length < requests) slots.push(Number.NEGATIVE_INFINITY);
      const at = now();
      const free = slots.findIndex((taken, slot) => slot < requests && taken <= at - windowMs);
      if (free >= 0) {
        slots[free] = at;
        return { taken: true, slot: free };
      }
      return { taken: false, waits: waitsOf(slots.slice(0, requests), windowMs, at) };
    },
    settle(connection, slot) {
      const slots = kept.get(connection);
      if (slots !== undefined) slots[slot] = now();
    },
  };
}

/** Shared by all processes of a store, by the database's clock. */
export function storeSlots(store: Store): Slots {
  const statements = STATEMENTS[store.dialect];
  const run = <R>(text: string, parameters: readonly unknown[]) =>
    store.database.executeQuery<R>(CompiledQuery.raw(text, [...parameters]));
  return {
    async claim(connection, { requests, windowSeconds }) {
      const windowMs = Math.ceil(windowSeconds * 1000);
      const claim = () => run<{ slot: number }>(statements.claim, [connection, requests, windowMs]);
      const [slot] = (await claim()).rows;
      if (slot !== undefined) return { taken: true, slot: Number(slot.slot) };
      let { rows } = await run<TakenSlot>(statements.read, [connection, requests]);
      if (rows.length < requests) {
        await run(statements.make, [connection, requests]);
        const [made] = (await claim()).rows;
        if (made !== undefined) return { taken: true, slot: Number(made.slot) };
        ({ rows } = await run<TakenSlot>(statements.read, [connection, requests]));
      }
      const at = Number(rows[0]?.now ?? 0);
      const taken = rows.map(({ admitted_at }) => Number(admitted_at));
      // the clock was set back: what lies ahead of it counts as taken now
      if (taken.some((one) => one > at + CLOCK_STEP_MS)) await run(statements.setBack, [connection]);
      return { taken: false, waits: waitsOf(taken, windowMs, at) };
    },
    settle(connection, slot) {
      // A slot that cannot be settled counts from when it was taken.
      run(statements.settle, [connection, slot]).catch(() => undefined);
    },
  };
}

interface TakenSlot {
  readonly admitted_at: number;
  readonly now: number;
}

const CLOCK_STEP_MS = 1000;

function waitsOf(taken: readonly number[], windowMs: number, now: number): readonly number[] {
  return taken
    .map((at) => Math.min(Math.max(0, at + windowMs - now), windowMs))
    .sort((one, other) => one - other);
}

/**
 * A slot is free by the clock rounded down and taken by the clock rounded up, and both are read after the lock is
 * held: SQLite has one writer, PostgreSQL locks the row and passes over those that others are taking.
 */
const STATEMENTS = {
  sqlite: {
    claim: `update rate_slots set admitted_at = cast(round(unixepoch('subsec') * 1000) as integer) + 1
      where connection = ?1 and slot = (
        select slot from rate_slots where connection = ?1 and slot < ?2
          and admitted_at <= cast(round(unixepoch('subsec') * 1000) as integer) - ?3
        order by slot limit 1
      ) returning slot`,
    read: `select admitted_at, cast(round(unixepoch('subsec') * 1000) as integer) as now
      from rate_slots where connection = ?1 and slot < ?2`,
    make: `with recursive numbers (slot) as (select 0 union all select slot + 1 from numbers where slot + 1 < ?2)
      insert into rate_slots (connection, slot, admitted_at) select ?1, slot, 0 from numbers where true
      on conflict do nothing`,
    settle: `update rate_slots set admitted_at = cast(round(unixepoch('subsec') * 1000) as integer) + 1
      where connection = ?1 and slot = ?2`,
    setBack: `update rate_slots set admitted_at = cast(round(unixepoch('subsec') * 1000) as integer)
      where connection = ?1 and admitted_at > cast(round(unixepoch('subsec') * 1000) as integer)`,
  },
  postgres: {
    claim: `with free as (
        select slot from rate_slots where connection = $1 and slot < $2::bigint
          and admitted_at <= floor(extract(epoch from clock_timestamp()) * 1000)::bigint - $3::bigint
        order by slot limit 1 for update skip locked
      )
      update rate_slots set admitted_at = ceil(extract(epoch from clock_timestamp()) * 1000)::bigint
      from free where rate_slots.connection = $1 and rate_slots.slot = free.slot returning rate_slots.slot`,
    read: `select admitted_at, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now
      from rate_slots where connection = $1 and slot < $2::bigint`,
    make: `insert into rate_slots (connection, slot, admitted_at)
      select $1, slot, 0 from generate_series(0, $2::bigint - 1) as slot on conflict do nothing`,
    settle: `update rate_slots set admitted_at = ceil(extract(epoch from clock_timestamp()) * 1000)::bigint
      where connection = $1 and slot = $2::bigint`,
    setBack: `update rate_slots set admitted_at = floor(extract(epoch from clock_timestamp()) * 1000)::bigint
      where connection = $1 and admitted_at > floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  },
} as const;
