import type { Json } from './json.ts';

/** Of lists and objects in what somebody sends: nobody means more, and JSON.stringify writes some thousands at most. */
export const MAX_LEVELS = 500;

/** Whether lists and objects within each other are at most so many. */
export function isShallow(value: Json, levels = MAX_LEVELS): boolean {
  let level: Json[] = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((one) => (one !== null && typeof one === 'object' ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
}
