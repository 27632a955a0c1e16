import type { BudgetAmounts, BudgetRule, BudgetUse } from '../operations/index.ts';

/** What a budget allowed when it was last used; kept with its counter. */
export type BudgetTerms = Pick<BudgetRule, 'per'> & Partial<BudgetAmounts>;

/** One call on one budget. */
export interface Charge {
  /** Key of the budget: `rule:NAME` or `operation:SOURCE/ID`. */
  readonly budget: string;
  /** Whom it counts by: `principal:ann`, `run:ann:r1`, `organisation:acme`. */
  readonly subject: string;
  readonly organisation?: string;
  readonly principal?: string;
  readonly run?: string;
  /** Milliseconds; undefined: as long as the run lasts. */
  readonly windowMs: number | undefined;
  readonly terms: BudgetTerms;
  /** Price of this call in billionths of a US dollar. */
  readonly nanodollars: number;
}

/** What stands on a counter. */
export interface Counted {
  readonly calls: number;
  readonly nanodollars: number;
  readonly bytes: number;
}

/** A charge that was taken, in the window in which it was. */
export interface Taken {
  readonly charge: Charge;
  readonly window: number;
}

/** Nothing is taken: this charge does not fit. `freesInMs` is absent where no window will end. */
export interface Refusal {
  readonly refused: Charge;
  readonly used: Counted;
  readonly freesInMs?: number;
}

export type Reservation = { readonly taken: readonly Taken[] } | Refusal;

/** Whose counters a caller may see; every part that is given must match. Empty: all. */
export interface CounterScope {
  readonly organisation?: string;
  /** Own counters, and those of the organisation that belong to nobody in particular. */
  readonly principal?: string;
  /** Which budgets, by their keys. */
  readonly budgets?: (key: string) => boolean;
}

/**
 * Counters of budgets. A window is fixed: it begins at a multiple of its length since 1970-01-01 UTC, so that a day
 * is a day in UTC, and everything that was used is forgotten at its end.
 */
export interface BudgetCounters {
  /** Takes all charges or none: however many ask at once, no counter goes beyond its terms. */
  reserve(charges: readonly Charge[]): Promise<Reservation>;
  /** What would be refused now; takes nothing. */
  refusal(charges: readonly Charge[]): Promise<Refusal | undefined>;
  /** Nothing was sent: calls and price are given back. */
  giveBack(taken: readonly Taken[]): Promise<void>;
  /** What the answer had. Bytes are known only then: the answer that goes beyond is the last. */
  addBytes(taken: readonly Taken[], bytes: number): Promise<void>;
  list(scope: CounterScope): Promise<readonly BudgetUse[]>;
}

export const NANODOLLARS = 1_000_000_000;
/** A run that was silent for so long may be forgotten, milliseconds. */
export const RUN_KEPT_MS = 30 * 86_400_000;

/** Whether one more call of this price fits. */
export function fits({ terms, nanodollars }: Charge, used: Counted): boolean {
  return (
    (terms.calls === undefined || used.calls + 1 <= terms.calls) &&
    (terms.usd === undefined || used.nanodollars + nanodollars <= nanodollarsOf(terms.usd)) &&
    (terms.bytes === undefined || used.bytes < terms.bytes)
  );
}

export function nanodollarsOf(usd: number): number {
  return Math.round(usd * NANODOLLARS);
}

export function windowOf(
  { windowMs }: Charge,
  now: number,
): { readonly start: number; readonly end: number } {
  if (windowMs === undefined) return { start: 0, end: now + RUN_KEPT_MS };
  const start = now - (now % windowMs);
  return { start, end: start + windowMs };
}

/** One counter for people and programs. */
export function useOf(
  row: Pick<Charge, 'budget' | 'organisation' | 'principal' | 'run' | 'terms'>,
  used: Counted,
  window: { readonly start: number; readonly end: number },
): BudgetUse {
  const { per, ...limit } = row.terms;
  return {
    budget: row.budget.slice(row.budget.indexOf(':') + 1),
    per,
    ...(row.principal === undefined ? {} : { principal: row.principal }),
    ...(row.organisation === undefined ? {} : { organisation: row.organisation }),
    ...(row.run === undefined ? {} : { run: row.run }),
    used: { calls: used.calls, usd: used.nanodollars / NANODOLLARS, bytes: used.bytes },
    limit,
    ...(window.start === 0 ? {} : { frees: window.end }),
  };
}
