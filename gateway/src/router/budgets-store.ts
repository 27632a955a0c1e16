import { CompiledQuery, type QueryExecutorProvider } from 'kysely';
import type { Store } from '../store/store.ts';
import type { BudgetCounterTable } from '../store/tables.ts';
import {
  type BudgetCounters,
  type BudgetTerms,
  type Charge,
  type Counted,
  fits,
  nanodollarsOf,
  type Refusal,
  RUN_KEPT_MS,
  type Taken,
  useOf,
} from './budget-counters.ts';
import { BUDGET_STATEMENTS } from './budgets-statements.ts';

type Run = <R>(text: string, parameters: readonly unknown[]) => Promise<readonly R[]>;

/** Thrown to undo what a transaction took; never leaves this file. */
class Refused extends Error {
  readonly charge: Charge;
  constructor(charge: Charge) {
    super('refused');
    this.charge = charge;
  }
}

/** Shared by all processes of a store, by the database's clock. */
export function storeCounters(store: Store): BudgetCounters {
  const statements = BUDGET_STATEMENTS[store.dialect];
  const run = runOn(store.database);
  const forget = () => {
    // What ended means nothing any more; whoever begins a window tidies up a little.
    run(statements.forget, []).catch(() => undefined);
  };
  const refusalOf = async (charge: Charge): Promise<Refusal> => {
    const [row] = await run<CounterRow>(statements.read, [
      charge.budget,
      charge.subject,
      charge.windowMs ?? 0,
    ]);
    const used: Counted = {
      calls: Number(row?.calls ?? 0),
      nanodollars: Number(row?.nanodollars ?? 0),
      bytes: Number(row?.bytes ?? 0),
    };
    if (charge.windowMs === undefined) return { refused: charge, used };
    return { refused: charge, used, freesInMs: charge.windowMs - (Number(row?.now ?? 0) % charge.windowMs) };
  };
  return {
    async reserve(charges) {
      // always in one order, so that two calls never wait for each other
      const ordered = [...charges].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      try {
        const taken =
          ordered.length === 1
            ? [await take(run, statements.take, ordered[0]!)]
            : await store.transaction(async (open) => {
                const inside = runOn(open);
                const all: TakenNow[] = [];
                for (const charge of ordered) all.push(await take(inside, statements.take, charge));
                return all;
              });
        if (taken.some(({ first }) => first)) forget();
        return { taken };
      } catch (error) {
        if (error instanceof Refused) return refusalOf(error.charge);
        throw error;
      }
    },
    async refusal(charges) {
      for (const charge of charges) {
        const found = await refusalOf(charge);
        if (!fits(charge, found.used)) return found;
      }
      return undefined;
    },
    async giveBack(taken) {
      for (const { charge, window } of taken)
        await run(statements.giveBack, [charge.budget, charge.subject, window, charge.nanodollars]);
    },
    async addBytes(taken, bytes) {
      for (const { charge, window } of taken)
        await run(statements.addBytes, [charge.budget, charge.subject, window, bytes]);
    },
    async list({ organisation, principal, budgets }) {
      const rows = await run<BudgetCounterTable>(statements.list, [organisation ?? null, principal ?? null]);
      const shown = rows.filter(({ budget }) => budgets?.(budget) ?? true);
      return shown.map((row) =>
        useOf(
          {
            budget: row.budget,
            ...(row.organisation_id === null ? {} : { organisation: row.organisation_id }),
            ...(row.principal_id === null ? {} : { principal: row.principal_id }),
            ...(row.run_id === null ? {} : { run: row.run_id }),
            terms: JSON.parse(row.terms) as BudgetTerms,
          },
          { calls: Number(row.calls), nanodollars: Number(row.nanodollars), bytes: Number(row.bytes) },
          { start: Number(row.window_start), end: Number(row.ends_at) },
        ),
      );
    },
  };
}

interface CounterRow extends Counted {
  readonly now: number;
}

interface TakenNow extends Taken {
  /** It is the first of its window. */
  readonly first: boolean;
}

async function take(run: Run, statement: string, charge: Charge): Promise<TakenNow> {
  const { terms } = charge;
  const [row] = await run<{ window_start: number; calls: number }>(statement, [
    charge.budget,
    charge.subject,
    charge.organisation ?? null,
    charge.principal ?? null,
    charge.run ?? null,
    charge.windowMs ?? 0,
    charge.nanodollars,
    JSON.stringify(terms),
    terms.calls ?? null,
    terms.usd === undefined ? null : nanodollarsOf(terms.usd),
    terms.bytes ?? null,
    RUN_KEPT_MS,
  ]);
  if (row === undefined) throw new Refused(charge);
  return { charge, window: Number(row.window_start), first: Number(row.calls) === 1 };
}

function runOn(database: Pick<Store['database'], 'executeQuery'> & QueryExecutorProvider): Run {
  return async <R>(text: string, parameters: readonly unknown[]) =>
    (await database.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows;
}

function keyOf({ budget, subject }: Charge): string {
  return JSON.stringify([budget, subject]);
}
