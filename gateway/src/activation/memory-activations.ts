import type { ActivatedTools } from './activated-tools.ts';
import { used } from './activation.ts';
import { KnownActivations } from './known-activations.ts';

/** Principals that are remembered; those who came longest ago start anew. */
const MAX_PRINCIPALS = 10_000;

/** Of this process alone, gone when it ends. */
export function memoryActivations(now: () => number, maxPrincipals = MAX_PRINCIPALS): ActivatedTools {
  const known = new KnownActivations(now);
  return {
    known: (principal) => known.operations(principal),
    async activate(principal, operations, maxPerSource) {
      if (known.fresh(principal, operations)) return true;
      known.set(principal, used(known.list(principal), operations, maxPerSource, now()));
      known.keepNewest(maxPrincipals);
      return known.has(principal, operations);
    },
    onChange: (listener) => known.onChange(listener),
    open: async () => {},
    close: async () => {},
  };
}
