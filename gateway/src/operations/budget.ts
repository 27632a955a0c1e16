import type { Access, CostProfile } from './operation.ts';
import type { OperationSelector } from './selectors/selector.ts';

/** A budget of the configuration: the calls it covers, whom it counts by, and the most they may use. */
export interface BudgetRule {
  /** Unique; counters are kept by it. */
  readonly name: string;
  /** Every part that is given must match; a rule without parts covers every call. */
  readonly tool?: string;
  readonly source?: string;
  /** Operation id, or `office365.*` for all that begin so. */
  readonly operation?: string;
  readonly tag?: string;
  readonly access?: Access;
  readonly per: 'principal' | 'run' | 'organisation';
  /** Milliseconds. A budget per run lasts as long as the run and uses it only for calls without one. */
  readonly windowMs: number;
  readonly calls?: number;
  /** US dollars. */
  readonly usd?: number;
  readonly bytes?: number;
}

/** What the operations that match cost; the last matching rule wins, member by member. */
export type CostRule = OperationSelector & CostProfile;

/** One counter of a budget, as it stands. */
export interface BudgetUse {
  /** The rule's name, or `SOURCE/OPERATION` for an operation's own budget. */
  readonly budget: string;
  readonly per: BudgetRule['per'];
  readonly principal?: string;
  readonly organisation?: string;
  readonly run?: string;
  readonly used: BudgetAmounts;
  /** As it was when the counter was last used. */
  readonly limit: Partial<BudgetAmounts>;
  /** When it begins anew, milliseconds since the epoch; absent: with the next run. */
  readonly frees?: number;
}

export interface BudgetAmounts {
  readonly calls: number;
  readonly usd: number;
  readonly bytes: number;
}
