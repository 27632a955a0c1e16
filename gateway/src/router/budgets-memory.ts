import {
  type BudgetCounters,
  type Charge,
  type Counted,
  fits,
  type Refusal,
  type Taken,
  useOf,
  windowOf,
} from './budget-counters.ts';

interface Counter {
  readonly charge: Charge;
  readonly window: { readonly start: number; readonly end: number };
  calls: number;
  nanodollars: number;
  bytes: number;
}

/** Counters beyond this are looked through for those that ended. */
const LOOK_THROUGH = 10_000;
const NOTHING: Counted = { calls: 0, nanodollars: 0, bytes: 0 };

/** For one process without a store; `now` is in milliseconds since the epoch. */
export function memoryCounters(now: () => number = Date.now, lookThrough = LOOK_THROUGH): BudgetCounters {
  const counters = new Map<string, Counter>();
  const keyOf = ({ budget, subject }: Charge, window: number) => JSON.stringify([budget, subject, window]);
  const edit = (taken: readonly Taken[], change: (counter: Counter, charge: Charge) => void) => {
    for (const { charge, window } of taken) {
      const counter = counters.get(keyOf(charge, window));
      if (counter !== undefined) change(counter, charge);
    }
  };
  const refusalAt = (charges: readonly Charge[], at: number): Refusal | undefined => {
    for (const charge of charges) {
      const window = windowOf(charge, at);
      const used = counters.get(keyOf(charge, window.start)) ?? NOTHING;
      if (fits(charge, used)) continue;
      const frees = charge.windowMs === undefined ? {} : { freesInMs: window.end - at };
      return { refused: charge, used: { ...used }, ...frees };
    }
    return undefined;
  };
  return {
    async reserve(charges) {
      const at = now();
      if (counters.size > lookThrough) forgetEnded(counters, at);
      return refusalAt(charges, at) ?? { taken: charges.map((charge) => take(counters, keyOf, charge, at)) };
    },
    refusal: async (charges) => refusalAt(charges, now()),
    async giveBack(taken) {
      edit(taken, (counter, { nanodollars }) => {
        counter.calls -= 1;
        counter.nanodollars -= nanodollars;
      });
    },
    async addBytes(taken, bytes) {
      edit(taken, (counter) => {
        counter.bytes += bytes;
      });
    },
    async list({ organisation, principal, budgets }) {
      const at = now();
      return [...counters.values()]
        .filter(({ window, charge }) => {
          if (window.end <= at) return false;
          if (budgets?.(charge.budget) === false) return false;
          if (organisation !== undefined && charge.organisation !== organisation) return false;
          return principal === undefined || (charge.principal ?? principal) === principal;
        })
        .map((counter) => useOf(counter.charge, counter, counter.window));
    },
  };
}

function take(
  counters: Map<string, Counter>,
  keyOf: (charge: Charge, window: number) => string,
  charge: Charge,
  at: number,
): Taken {
  const window = windowOf(charge, at);
  const key = keyOf(charge, window.start);
  const before = counters.get(key) ?? NOTHING;
  counters.set(key, {
    charge,
    window,
    calls: before.calls + 1,
    nanodollars: before.nanodollars + charge.nanodollars,
    bytes: before.bytes,
  });
  return { charge, window: window.start };
}

function forgetEnded(counters: Map<string, Counter>, at: number): void {
  for (const [key, { window }] of counters) if (window.end <= at) counters.delete(key);
}
