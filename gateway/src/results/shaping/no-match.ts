import type { Json } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { shortText } from './clip.ts';
import { parseFieldPath, valuesAt } from './field-path.ts';
import type { FieldCondition, RowFilter } from './filter.ts';
import { quotedName, unknownField } from './row-fields.ts';

/** Rows that are looked at. */
const LOOKED_AT = 1000;
/** Values that are named. */
const NAMED = 5;
const MAX_VALUE = 40;

/**
 * Why a filter left no row, in a sentence: a date asked of numbers, or a word in another case, must not look as if
 * nothing were there. Undefined where each condition fits some row.
 */
export function whyNone(rows: readonly Json[], { fields, present, size }: RowFilter): string | undefined {
  const some = rows.slice(0, LOOKED_AT);
  const absent = present.map((name) => ({ name, path: parseFieldPath(name) ?? [name] }));
  const nowhere = unknownField(some, absent);
  if (nowhere !== undefined) return nowhere.message;
  const failing = size === 1 ? fields[0] : fields.find((one) => !isPattern(one) && !some.some(one.matches));
  if (failing === undefined || some.length === 0) return undefined;
  const { name, path, given } = failing;
  const values = some.flatMap((row) => valuesAt(row, path)).flat();
  const scalars = [...new Set(values.filter((value) => value === null || typeof value !== 'object'))];
  if (scalars.length === 0) return undefined;
  return `No row matches ${quotedName(name)}: ${shown(given)}. In these rows it ${span(scalars)}.`;
}

/** Looking for a pattern once more could cost as much as the filter did. */
function isPattern({ given }: FieldCondition): boolean {
  return JSON.stringify(given).includes('~');
}

function span(values: readonly Json[]): string {
  if (values.length > NAMED && values.every((value) => typeof value === 'number')) {
    const [least, most] = values.reduce<[number, number]>(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    );
    return `goes from ${least} to ${most}`;
  }
  const named = values.slice(0, NAMED).map(shown).join(', ');
  return values.length > NAMED ? `is ${named}, …` : `is ${named}`;
}

/** As JSON, cleaned and short: services wrote it. */
function shown(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(cleanText(shortText(value, MAX_VALUE)).text);
  return cleanText(shortText(JSON.stringify(value), MAX_VALUE)).text;
}
