import type { Json } from './json.ts';

/** Whether lists and objects within each other are at most so many: deeper ones cannot be written by JSON.stringify. */
export function isShallow(value: Json, levels: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((one) => (one !== null && typeof one === 'object' ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
}
