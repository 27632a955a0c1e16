import type { Json } from './json.ts';

/** Of lists and objects in what somebody sends: nobody means more, and what walks through it has a stack that ends. */
export const MAX_LEVELS = 500;

/** Whether lists and objects within each other are at most so many. */
export function isShallow(value: Json, levels = MAX_LEVELS): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((one) => isShallow(one, levels - 1));
  // a list of the values of each object would take six times as long
  for (const name in value) {
    if (!isShallow(value[name]!, levels - 1)) return false;
  }
  return true;
}

/** The same of the value of a JSON text, of which each level takes two characters at least. */
export function isShallowText(text: string, value: Json): boolean {
  return text.length <= 2 * MAX_LEVELS || isShallow(value);
}
