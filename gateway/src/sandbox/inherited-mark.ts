import { writeFileSync } from 'node:fs';
import { once } from '../operations/work/once.ts';
import { oomAdjustment } from './proc.ts';

/** Scripts are given up before the gateway is, where memory runs out. */
const LOWEST = 300;
const HIGHEST = 999;

/** The `oom_score_adj` of this process. */
export const ownAdjustment: () => number = once(() => oomAdjustment('self') ?? 0);

let isPossible = true;

/**
 * Starts a process with an `oom_score_adj` that no other has, for it and all that come of it. This process has it for
 * that moment: set afterwards, what the new process starts first would be without.
 *
 * @param taken values that are in use
 * @returns the value too; undefined where none can be set
 */
export function startMarked<T>(
  taken: ReadonlySet<number | undefined>,
  start: () => T,
): { readonly started: T; readonly adjustment: number | undefined } {
  const value = freeValue(taken);
  if (value === undefined || !set(value)) return { started: start(), adjustment: undefined };
  try {
    return { started: start(), adjustment: value };
  } finally {
    // only its own raising is undone, which needs no right; should that fail, it is not tried again
    isPossible = set(ownAdjustment());
  }
}

function freeValue(taken: ReadonlySet<number | undefined>): number | undefined {
  const lowest = Math.max(LOWEST, ownAdjustment() + 1);
  const span = HIGHEST - lowest + 1;
  if (!isPossible || taken.size >= span) return undefined;
  let value = lowest + Math.floor(Math.random() * span);
  while (taken.has(value)) value = value === HIGHEST ? lowest : value + 1;
  return value;
}

function set(value: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    writeFileSync('/proc/self/oom_score_adj', String(value));
    return true;
  } catch {
    return false;
  }
}
