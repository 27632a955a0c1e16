import type { TaintKey, TaintRecords } from './taint-records.ts';

/** Callers and runs that are remembered; beyond it everybody counts as tainted for a while. */
const MAX_KEYS = 10_000;

interface Marked {
  readonly source: string;
  readonly until: number;
}

/** Within one process. What does not fit is not forgotten: then every caller is asked. */
export function memoryTaints(now: () => number, maxKeys = MAX_KEYS): TaintRecords {
  /** By caller, then by run. */
  const callers = new Map<string, Map<string, Marked>>();
  let count = 0;
  let everybodyUntil = 0;

  const purge = (): void => {
    const time = now();
    for (const [principal, runs] of callers) {
      for (const [run, { until }] of runs) {
        if (until > time) continue;
        runs.delete(run);
        count--;
      }
      if (runs.size === 0) callers.delete(principal);
    }
  };
  const remember = ({ principal, run }: TaintKey, marked: Marked): void => {
    const runs = callers.get(principal) ?? new Map<string, Marked>();
    const known = runs.get(run);
    if (known === undefined) {
      if (count >= maxKeys) purge();
      if (count >= maxKeys) {
        everybodyUntil = Math.max(everybodyUntil, marked.until);
        return;
      }
      count++;
    }
    if (known === undefined || known.until < marked.until) runs.set(run, marked);
    callers.set(principal, runs);
  };

  return {
    async mark(key, source, forMs) {
      remember(key, { source, until: now() + forMs });
    },
    async find({ principal, run }) {
      const time = now();
      const runs = callers.get(principal);
      const counting = run === '' ? [...(runs?.values() ?? [])] : [runs?.get(run), runs?.get('')];
      const found = counting.find((marked) => marked !== undefined && marked.until > time);
      return found?.source ?? (everybodyUntil > time ? '' : undefined);
    },
  };
}
