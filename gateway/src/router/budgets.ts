import { ToolcribError } from '../errors.ts';
import type { Budget, BudgetRule, BudgetUse, Call, Operation } from '../operations/index.ts';
import { picksTool } from '../operations/selectors/tool-selector.ts';
import type { Store } from '../store/store.ts';
import {
  type BudgetCounters,
  type Charge,
  type Counted,
  type CounterScope,
  NANODOLLARS,
  nanodollarsOf,
  type Refusal,
  type Taken,
} from './budget-counters.ts';
import { memoryCounters } from './budgets-memory.ts';
import { storeCounters } from './budgets-store.ts';

/** The budgets of a gateway: the operations' own, and the configuration's. */
export interface Budgets {
  /** What this call is charged for; empty, and nothing else is done, where no budget covers it. */
  charges(call: Call): readonly Charge[];
  /** Takes every charge, or throws `budget_exceeded` and takes none. Throws `store_unavailable`. */
  reserve(charges: readonly Charge[]): Promise<readonly Taken[]>;
  /** Takes nothing. Throws `budget_exceeded` where `reserve` would now; `store_unavailable`. */
  check(charges: readonly Charge[]): Promise<void>;
  giveBack(taken: readonly Taken[]): Promise<void>;
  addBytes(taken: readonly Taken[], bytes: number): Promise<void>;
  /** What is used now. */
  list(scope: BudgetScope): Promise<readonly BudgetUse[]>;
}

/** Whose counters, and of which budgets. */
export interface BudgetScope extends Omit<CounterScope, 'budgets'> {
  /** By the one source whose calls a budget counts; undefined: it may count those of any. */
  readonly covers?: (source: string | undefined) => boolean;
}

const DAY_MS = 86_400_000;
const NONE: readonly Charge[] = Object.freeze([]);

/** The operation's own tool: a rule that names it covers its calls by way of other tools, too. */
type ToolOf = (operation: Operation) => string | undefined;

/** @param rules read at every call, so that a configuration can be exchanged */
export function createBudgets(
  rules: () => readonly BudgetRule[],
  store: Store | undefined,
  toolOf?: ToolOf,
): Budgets {
  return budgetsOf(rules, store === undefined ? memoryCounters() : storeCounters(store), toolOf);
}

export function budgetsOf(
  rules: () => readonly BudgetRule[],
  counters: BudgetCounters,
  toolOf: ToolOf = () => undefined,
): Budgets {
  return {
    charges(call) {
      const { budget } = call.operation;
      const covering = rules().filter((rule) => isCovered(rule, call, toolOf));
      if (budget === undefined && covering.length === 0) return NONE;
      const own = budget === undefined ? [] : [chargeOf(ownRule(budget, call), 'operation', call)];
      return [...own, ...covering.map((rule) => chargeOf(rule, 'rule', call))];
    },
    async reserve(charges) {
      const reservation = await counters.reserve(charges);
      if ('taken' in reservation) return reservation.taken;
      throw exceeded(reservation);
    },
    async check(charges) {
      const refusal = await counters.refusal(charges);
      if (refusal !== undefined) throw exceeded(refusal);
    },
    giveBack: (taken) => counters.giveBack(taken),
    addBytes: (taken, bytes) => counters.addBytes(taken, bytes),
    list: ({ covers, ...scope }) =>
      counters.list(
        covers === undefined ? scope : { ...scope, budgets: (key) => covers(sourceOf(key, rules())) },
      ),
  };
}

function isCovered(rule: BudgetRule, { tool, operation }: Call, toolOf: ToolOf): boolean {
  return picksTool(rule, operation, (name) => name === tool || name === toolOf(operation));
}

function ownRule(
  { per = 'principal', windowMs = DAY_MS, ...limits }: Budget,
  { operation }: Call,
): BudgetRule {
  return { ...limits, per, windowMs, name: `${operation.source}/${operation.id}` };
}

/** A rule's name is unique among rules, an operation's key among operations; the prefix keeps them apart. */
function chargeOf(rule: BudgetRule, kind: 'rule' | 'operation', call: Call): Charge {
  const { name, per, calls, usd, bytes } = rule;
  const { operation } = call;
  const terms = {
    per,
    ...(calls === undefined ? {} : { calls }),
    ...(usd === undefined ? {} : { usd }),
    ...(bytes === undefined ? {} : { bytes }),
  };
  return {
    ...subjectOf(rule, call),
    budget: `${kind}:${name}`,
    terms,
    nanodollars: nanodollarsOf(operation.cost?.usd ?? 0),
  };
}

/** The one source whose calls a budget counts; undefined for a rule that names none, or is gone. */
function sourceOf(key: string, rules: readonly BudgetRule[]): string | undefined {
  const [, kind, name] = /^(operation|rule):(.*)$/s.exec(key) ?? [];
  if (kind === 'operation') return name?.slice(0, name.indexOf('/'));
  return rules.find((rule) => rule.name === name)?.source;
}

/**
 * Whom a call is counted by. Runs are named by the client, so they are kept apart by principal; calls without a run
 * share one counter of their principal, which lasts one window: leaving the run out frees nobody. A principal without
 * an organisation is one of its own.
 */
function subjectOf(
  { per, windowMs }: BudgetRule,
  { principal: { id, organisation }, run }: Call,
): Pick<Charge, 'subject' | 'organisation' | 'principal' | 'run' | 'windowMs'> {
  const of = organisation === undefined ? {} : { organisation };
  if (per === 'organisation') {
    return organisation === undefined
      ? { subject: `principal:${id}`, principal: id, windowMs }
      : { subject: `organisation:${organisation}`, ...of, windowMs };
  }
  if (per === 'run' && run !== undefined)
    return { subject: `run:${id}:${run}`, ...of, principal: id, run, windowMs: undefined };
  return { subject: `principal:${id}`, ...of, principal: id, windowMs };
}

function exceeded({ refused, used, freesInMs }: Refusal): ToolcribError {
  const { unit, amount, limit } = exhausted(refused, used);
  const name = refused.budget.slice(refused.budget.indexOf(':') + 1);
  // a call that is dearer than the whole budget does not fit the next window either
  const hopeless = unit === 'usd' ? refused.nanodollars > nanodollarsOf(limit) : limit === 0;
  const retryAfterMs = hopeless || freesInMs === undefined ? undefined : Math.max(1, Math.ceil(freesInMs));
  const frees = retryAfterMs === undefined ? undefined : new Date(Date.now() + retryAfterMs).toISOString();
  const when =
    frees === undefined
      ? hopeless
        ? 'this call never fits'
        : 'it lasts as long as the run'
      : `it frees at ${frees}`;
  return new ToolcribError(
    'budget_exceeded',
    `Budget ${name} (per ${refused.terms.per}) is used up: ${amount} of ${limit} ${unit}; ${when}.`,
    {
      details: {
        budget: name,
        per: refused.terms.per,
        unit,
        used: amount,
        limit,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs, frees }),
      },
    },
  );
}

/** The amount that stands in the way, in the unit of its limit. */
function exhausted({ terms, nanodollars }: Charge, used: Counted) {
  const { calls = Number.POSITIVE_INFINITY, usd = Number.POSITIVE_INFINITY, bytes = 0 } = terms;
  if (used.calls + 1 > calls) return { unit: 'calls', amount: used.calls, limit: calls };
  if (used.nanodollars + nanodollars > nanodollarsOf(usd))
    return { unit: 'usd', amount: used.nanodollars / NANODOLLARS, limit: usd };
  return { unit: 'bytes', amount: used.bytes, limit: bytes };
}
