import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { compareTo, isEqual, operandOf } from './comparison.ts';

/** A regular expression that runs in linear time; undefined where it cannot. */
export type CompilePattern = (pattern: string) => { test(text: string): boolean } | undefined;

/** What is asked of one value. */
export type Condition = (value: Json) => boolean;
/** Says what is wrong with the filter. */
export type Invalid = (problem: string) => never;

const MAX_LIST = 500;
const MAX_TEXT = 2000;
const MAX_PATTERN = 500;
/** Longer values are not searched by a pattern. */
const MAX_SEARCHED = 1_000_000;

const ORDER = {
  '>': (difference: number) => difference > 0,
  '>=': (difference: number) => difference >= 0,
  '<': (difference: number) => difference < 0,
  '<=': (difference: number) => difference <= 0,
};
type Order = keyof typeof ORDER;

const SUFFIXES = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
export const SUFFIX_NAMES: readonly string[] = ['contains', 'ne', 'in', ...Object.keys(SUFFIXES)];

/** A filter's value without a suffix: a text may begin with `~` or a comparison, a list means any of them. */
export function plainCondition(given: Json, pattern: CompilePattern, invalid: Invalid): Condition {
  if (Array.isArray(given)) return anyOf(given, pattern, invalid);
  if (typeof given === 'string') return textCondition(given, pattern, invalid);
  if (isObject(given)) return invalid('a value is a text, a number, true, false, null or a list of those');
  return (value) => isEqual(value, given);
}

/** `name__suffix`. */
export function suffixCondition(suffix: string, given: Json, invalid: Invalid): Condition {
  if (Object.hasOwn(SUFFIXES, suffix))
    return ordered(SUFFIXES[suffix as keyof typeof SUFFIXES], given, invalid);
  if (suffix === 'in') {
    const list = typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given;
    if (!Array.isArray(list)) return invalid('__in takes a list');
    const values = scalars(list, invalid);
    return (value) => values.some((one) => isEqual(value, one));
  }
  const [expected] = scalars([given], invalid);
  if (suffix === 'ne') return (value) => !isEqual(value, expected!);
  const part = lower(String(expected));
  return (value) => value !== null && typeof value !== 'object' && lower(String(value)).includes(part);
}

/** True for conditions that a value must not meet: every value at the path has to differ. */
export function isNegative(suffix: string | undefined, given: Json): boolean {
  return suffix === 'ne' || (suffix === undefined && typeof given === 'string' && given.startsWith('!='));
}

function anyOf(list: Json[], pattern: CompilePattern, invalid: Invalid): Condition {
  if (list.length === 0) return invalid('the list is empty');
  if (list.length > MAX_LIST) return invalid(`a list has at most ${MAX_LIST} values`);
  const conditions = list.map((one) =>
    Array.isArray(one) ? invalid('a list within a list') : plainCondition(one, pattern, invalid),
  );
  return (value) => conditions.some((condition) => condition(value));
}

function textCondition(given: string, pattern: CompilePattern, invalid: Invalid): Condition {
  if (given.length > MAX_TEXT) return invalid(`a text has at most ${MAX_TEXT} characters`);
  if (given.startsWith('~')) return matching(given.slice(1), pattern, invalid);
  const [, operator, operand = ''] = /^(>=|<=|!=|==|>|<|=)\s*(.*)$/s.exec(given) ?? [];
  if (operator === undefined) return (value) => isEqual(value, given);
  if (operator in ORDER) return ordered(operator as Order, operand, invalid);
  const number = operandOf(operand);
  const same: Condition = (value) =>
    isEqual(value, operand) || (number !== undefined && compareTo(value, number) === 0);
  return operator === '!=' ? (value) => !same(value) : same;
}

function matching(source: string, pattern: CompilePattern, invalid: Invalid): Condition {
  if (source === '') return invalid('nothing stands behind ~');
  if (source.length > MAX_PATTERN) return invalid(`a pattern has at most ${MAX_PATTERN} characters`);
  const compiled = isPattern(source) ? pattern(`(?i:${source})`) : undefined;
  if (compiled === undefined) {
    return invalid(
      `${JSON.stringify(source)} is no regular expression that can be used (look-around and back-references cannot)`,
    );
  }
  return (value) => {
    const text = value === null ? undefined : textOf(value);
    return text !== undefined && text.length <= MAX_SEARCHED && compiled.test(text);
  };
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

function ordered(operator: Order, given: Json, invalid: Invalid): Condition {
  const operand = operandOf(given);
  if (operand === undefined) {
    return invalid(
      `${operator} needs a number or a date (ISO 8601), not ${JSON.stringify(given).slice(0, 80)}; a text that begins so is written "=${operator}…"`,
    );
  }
  const fits = ORDER[operator];
  return (value) => {
    const difference = compareTo(value, operand);
    return difference !== undefined && fits(difference);
  };
}

type Scalar = string | number | boolean | null;

function scalars(list: readonly Json[], invalid: Invalid): readonly Scalar[] {
  if (list.length === 0) return invalid('the list is empty');
  if (list.length > MAX_LIST) return invalid(`a list has at most ${MAX_LIST} values`);
  return list.map((one) => {
    if (one !== null && typeof one === 'object')
      return invalid('a value is a text, a number, true, false or null');
    return typeof one === 'string' && one.length > MAX_TEXT
      ? invalid(`a text has at most ${MAX_TEXT} characters`)
      : one;
  });
}

export function lower(text: string): string {
  return text.toLowerCase();
}

function textOf(value: Exclude<Json, null>): string {
  return typeof value === 'object' ? JSON.stringify(value satisfies Json[] | JsonObject) : String(value);
}
