import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import {
  type CompilePattern,
  type Condition,
  type Invalid,
  isNegative,
  lower,
  plainCondition,
  SUFFIX_NAMES,
  suffixCondition,
} from './conditions.ts';
import { type FieldPath, parseFieldPath, valuesAt } from './field-path.ts';
import { quotedName } from './row-fields.ts';

/** A filter that was read once, for any number of rows. */
export interface RowFilter {
  /** Fields that rows are expected to have, as the caller spelled them. */
  readonly fields: readonly FieldCondition[];
  /** Fields that `_has` wants, as the caller spelled them. */
  readonly present: readonly string[];
  /** Conditions, those of whole rows included. */
  readonly size: number;
  matches(row: Json): boolean;
}

/** What is asked of one field. */
export interface FieldCondition {
  readonly name: string;
  readonly path: FieldPath;
  readonly given: Json;
  matches(row: Json): boolean;
}

const MAX_CONDITIONS = 32;
const MAX_NAMES = 64;
/** Regular expressions of one filter: each is compiled, and looked for in every row. */
const MAX_PATTERNS = 20;
/** What the rows of one answer may cost, milliseconds: nobody else is served meanwhile. */
const MAX_MATCHING_MS = 2000;
/** Nesting and values that `_text` looks into, a row. */
const MAX_DEPTH = 32;
const MAX_VALUES = 20_000;
const SUFFIX = /^(.+)__([a-z]+)$/;

type RowTest = (row: Json) => boolean;

/** All conditions must hold. Throws `filter_invalid` naming the condition; `matches` where the rows cost too much. */
export function compileFilter(filters: JsonObject, compile: CompilePattern): RowFilter {
  const entries = Object.entries(filters);
  if (entries.length > MAX_CONDITIONS)
    throw new ToolcribError('filter_invalid', `A filter has at most ${MAX_CONDITIONS} conditions.`);
  let patterns = 0;
  const pattern: CompilePattern = (source) => {
    if (++patterns > MAX_PATTERNS)
      throw new ToolcribError('filter_invalid', `A filter has at most ${MAX_PATTERNS} regular expressions.`);
    return compile(source);
  };
  const fields: FieldCondition[] = [];
  const present: string[] = [];
  const tests = entries.map(([name, given]): RowTest => {
    const invalid: Invalid = (problem) => {
      throw new ToolcribError('filter_invalid', `Filter ${quotedName(name)}: ${problem}.`, {
        pointer: `/_filter_${name.slice(0, 100)}`,
        next: filterGrammar(),
      });
    };
    if (name === '_text') return textTest(given, invalid);
    if (name === '_has') {
      const test = hasTest(given, invalid);
      present.push(...(Array.isArray(given) ? given : [given]).map((one) => String(one).trim()));
      return test;
    }
    const { field, suffix } = split(name);
    const path = parseFieldPath(field);
    if (path === undefined) return invalid('this is no field; nested ones are written a.b, a.0.b or a[].b');
    const condition =
      suffix === undefined
        ? plainCondition(given, pattern, invalid)
        : suffixCondition(suffix, given, invalid);
    const matches = fieldTest(path, condition, isNegative(suffix, given));
    fields.push({ name: field, path, given, matches });
    return matches;
  });
  return { fields, present, size: tests.length, matches: withinTime(tests) };
}

/** Conditions are looked at in their order; the clock is read after each, so that one answer cannot hold up the rest. */
function withinTime(tests: readonly RowTest[]): (row: Json) => boolean {
  let spent = 0;
  return (row) => {
    const began = performance.now();
    const matches = tests.every((test) => {
      if (spent + performance.now() - began > MAX_MATCHING_MS)
        throw new ToolcribError('filter_invalid', 'The filter takes too long over these rows.', {
          next: 'Use fewer and simpler regular expressions, or ask the service for fewer rows.',
        });
      return test(row);
    });
    spent += performance.now() - began;
    return matches;
  };
}

/** The filter's forms for tool descriptions, at most 120 tokens. */
export function filterGrammar(): string {
  return [
    'Filters: _filter_<field>=value, several must all match; a list means any of them; nested a.b, a[].b.',
    '"~regex" (ignores case); ">5", ">=", "<", "<=", "!=" for numbers and ISO dates.',
    '_filter_<field>__contains, __in, __ne, __gt, __gte, __lt, __lte do the same.',
    '_filter__text searches whole rows, _filter__has wants fields present.',
  ].join(' ');
}

function split(name: string): { readonly field: string; readonly suffix?: string } {
  const [, field, suffix] = SUFFIX.exec(name) ?? [];
  return field !== undefined && SUFFIX_NAMES.includes(suffix!) ? { field, suffix: suffix! } : { field: name };
}

/** A list at the path counts by its items; one that fits is enough, of negative conditions all must. */
function fieldTest(path: FieldPath, condition: Condition, negative: boolean): RowTest {
  return (row) => {
    const values = valuesAt(row, path);
    if (values.length === 0) return false;
    const each = (value: Json): boolean => {
      if (!Array.isArray(value)) return condition(value);
      return negative ? value.every(condition) : value.some(condition);
    };
    return negative ? values.every(each) : values.some(each);
  };
}

function textTest(given: Json, invalid: Invalid): RowTest {
  if (typeof given !== 'string' && typeof given !== 'number')
    return invalid('the value is a text to search for');
  const wanted = lower(String(given));
  if (wanted === '' || wanted.length > 1000) return invalid('the text has 1 to 1,000 characters');
  return (row) => holdsText(row, wanted);
}

function holdsText(row: Json, wanted: string): boolean {
  let left = MAX_VALUES;
  const look = (value: Json, depth: number): boolean => {
    if (--left < 0 || depth > MAX_DEPTH) return false;
    if (typeof value === 'string') return lower(value).includes(wanted);
    if (Array.isArray(value)) return value.some((item) => look(item, depth + 1));
    if (isObject(value)) return Object.values(value).some((item) => look(item, depth + 1));
    return false;
  };
  return look(row, 0);
}

function hasTest(given: Json, invalid: Invalid): RowTest {
  const names = Array.isArray(given) ? given : [given];
  if (names.length === 0 || names.length > MAX_NAMES)
    return invalid(`it takes 1 to ${MAX_NAMES} field names`);
  const paths = names.map((name) => {
    const path = typeof name === 'string' ? parseFieldPath(name.trim()) : undefined;
    return path ?? invalid('the value is a field name or a list of them');
  });
  return (row) => paths.every((path) => valuesAt(row, path).length > 0);
}
