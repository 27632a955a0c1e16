import { isObject, type Json } from '../../operations/index.ts';

/** Names from the outside in; `[]` stands for every item of a list, digits for one. */
export type FieldPath = readonly string[];

const MAX_SEGMENTS = 16;
const MAX_LENGTH = 256;
/** Values that one path can lead to in one row, and steps on the way. */
const MAX_VALUES = 1000;
const MAX_STEPS = 10_000;
const INDEX = /^\d{1,9}$/;

/** `a.b`, `a.0.b`, `a[0].b`, `a[].b`. Undefined for what is no path. */
export function parseFieldPath(text: string): FieldPath | undefined {
  if (text === '' || text.length > MAX_LENGTH) return undefined;
  const segments = text
    .replace(/\[(\d{0,9})\]/g, (_whole, index: string) => `.${index === '' ? '[]' : index}`)
    .split('.');
  if (segments.length > MAX_SEGMENTS || segments.some((segment) => segment === '')) return undefined;
  return segments;
}

export function isIndex(segment: string): boolean {
  return INDEX.test(segment);
}

/**
 * What stands at a path in a row, every one of them where lists lie on the way. A name may hold dots itself
 * (`labels.app.kubernetes.io/name`). Empty where there is nothing.
 */
export function valuesAt(row: Json, path: FieldPath): readonly Json[] {
  const found: Json[] = [];
  let steps = 0;
  const walk = (value: Json, at: number): void => {
    if (++steps > MAX_STEPS || found.length >= MAX_VALUES) return;
    if (at === path.length) {
      found.push(value);
    } else if (Array.isArray(value)) {
      const segment = path[at]!;
      if (isIndex(segment)) {
        if (Number(segment) < value.length) walk(value[Number(segment)]!, at + 1);
      } else for (const item of value) walk(item, segment === '[]' ? at + 1 : at);
    } else if (isObject(value)) {
      for (let end = at + 1; end <= path.length; end++) {
        const name = path.slice(at, end).join('.');
        if (Object.hasOwn(value, name)) walk(value[name]!, end);
      }
    }
  };
  walk(row, 0);
  return found;
}
