/** An operation that is not used for so long ends, milliseconds: 7 days. */
export const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;
/** Use is noted again after this time at the earliest, milliseconds: a busy tool does not write at every call. */
export const NOTED_MS = 60_000;

/** One operation that a principal has found; times in milliseconds since the epoch. */
export interface Activation {
  /** `source/id` */
  readonly operation: string;
  readonly activatedAt: number;
  readonly usedAt: number;
}

export function sourceOf(operation: string): string {
  const slash = operation.indexOf('/');
  return slash < 0 ? operation : operation.slice(0, slash);
}

export function hasEnded({ usedAt }: Activation, now: number): boolean {
  return usedAt + UNUSED_MS <= now;
}

/** The list once these were used, newest last; what ended or no longer fits its source is gone. */
export function used(
  list: Iterable<Activation>,
  operations: readonly string[],
  maxPerSource: number,
  now: number,
): Activation[] {
  const kept = new Map<string, Activation>();
  let newest = now - 1;
  for (const one of [...list].sort(byUse)) {
    if (hasEnded(one, now)) continue;
    kept.set(one.operation, one);
    newest = Math.max(newest, one.usedAt);
  }
  for (const operation of new Set(operations)) {
    const activatedAt = kept.get(operation)?.activatedAt ?? now;
    kept.delete(operation);
    // no two at the same time: the order of use is that of the times
    kept.set(operation, { operation, activatedAt, usedAt: ++newest });
  }
  return lastOfEachSource([...kept.values()], maxPerSource);
}

function lastOfEachSource(list: readonly Activation[], max: number): Activation[] {
  const counts = new Map<string, number>();
  const fits = (one: Activation): boolean => {
    const source = sourceOf(one.operation);
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    return count <= max;
  };
  return list.toReversed().filter(fits).reverse();
}

function byUse(a: Activation, b: Activation): number {
  return a.usedAt - b.usedAt || (a.operation < b.operation ? -1 : 1);
}
