import type { CallStep } from '../operations/index.ts';

/** A step as an array: a third of the bytes of its object, and every call writes a dozen. */
type StoredStep = readonly [
  name: string,
  depth: number,
  startMs: number,
  durationMs: number,
  outcome: CallStep['outcome'],
  /** Null: absent, with a detail behind it. */
  ownMs?: number | null,
  detail?: CallStep['detail'],
];

export function storedSteps(steps: readonly CallStep[]): readonly StoredStep[] {
  return steps.map(({ name, depth, startMs, durationMs, outcome, ownMs, detail }): StoredStep => {
    if (detail !== undefined) return [name, depth, startMs, durationMs, outcome, ownMs ?? null, detail];
    return ownMs === undefined
      ? [name, depth, startMs, durationMs, outcome]
      : [name, depth, startMs, durationMs, outcome, ownMs];
  });
}

/** Events of earlier versions hold the steps themselves. */
export function stepsOf(stored: ReadonlyArray<StoredStep | CallStep>): readonly CallStep[] {
  return stored.map((step): CallStep => {
    if (!isStored(step)) return step;
    const [name, depth, startMs, durationMs, outcome, ownMs, detail] = step;
    return {
      name,
      depth,
      startMs,
      durationMs,
      ...(ownMs === undefined || ownMs === null ? {} : { ownMs }),
      outcome,
      ...(detail === undefined ? {} : { detail }),
    };
  });
}

function isStored(step: StoredStep | CallStep): step is StoredStep {
  return Array.isArray(step);
}
