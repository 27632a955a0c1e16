import type { Json } from './json.ts';

/** Of lists and objects in what somebody sends: nobody means more, and JSON.stringify writes some thousands at most. */
export const MAX_LEVELS = 500;

/** Whether lists and objects within each other are at most so many. */
export function isShallow(value: Json, levels = MAX_LEVELS): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (levels === 0) return false;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    if (!isShallow(one, levels - 1)) return false;
  }
  return true;
}
