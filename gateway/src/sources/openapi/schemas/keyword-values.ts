import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import { isShallow } from '../../../operations/json/is-shallow.ts';
import { SCHEMA_TYPES } from '../../../operations/json/schema-types.ts';
import { scalarText } from '../../../operations/text/scalar-text.ts';

/** Levels of lists and objects within each other that a value of data may have; nobody writes more by hand. */
const MAX_LEVELS = 100;

export function invalidKeyword(key: string): string {
  return `The value of \`${key}\` is not valid; the keyword is left out.`;
}

/** Whether a value that is data, not schema, is one that can be handled. */
export function isUsableValue(value: Json): boolean {
  return isShallow(value, MAX_LEVELS);
}

/** A finite number; `multipleOf` must be positive. */
export function readNumber(key: string, value: Json): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return key === 'multipleOf' && value <= 0 ? undefined : value;
}

export function readCount(value: Json): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** How authors name types that JSON Schema calls otherwise. */
const MEANT_TYPES: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['bigint', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['str', 'string'],
  ['text', 'string'],
  ['date', 'string'],
  ['datetime', 'string'],
  ['uuid', 'string'],
]);

/** `boolean` for `bool` and `Boolean`; undefined for what is a type, or nobody's. */
export function meantType(type: Json | undefined): string | undefined {
  if (typeof type !== 'string' || SCHEMA_TYPES.has(type)) return undefined;
  const name = type.toLowerCase();
  return SCHEMA_TYPES.has(name) ? name : MEANT_TYPES.get(name);
}

/** One type or a list of them; `file` is text by then. Undefined where none is known. */
export function readTypes(value: Json): Json | undefined {
  if (typeof value === 'string')
    return value === 'file' ? 'string' : SCHEMA_TYPES.has(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const types = [...new Set(value.filter((type) => SCHEMA_TYPES.has(type)))];
  return types.length === 0 ? undefined : types.length === 1 ? types[0] : types;
}

/**
 * A list of which nothing is said, as the items of another one. OpenAPI before 3.1 wants `items` of every list: what
 * lacks them is what NestJS makes of the type `T[]` where each element was meant.
 */
export function isUnsaidList(items: Json): boolean {
  return isObject(items) && items.type === 'array' && Object.keys(items).length === 1;
}

/**
 * The allowed values, each once. Values that YAML or the author wrote in another type than the schema's are turned
 * into it (`type: string, enum: [1, none]`): nothing could match them otherwise.
 */
export function readEnum(value: Json, type: Json | undefined): Json | undefined {
  if (!Array.isArray(value) || value.length === 0 || !isUsableValue(value)) return undefined;
  return [...new Set(value.map((item) => asTyped(item, type)))];
}

/** The value, in the schema's type where it is plainly one of that type: `"20"` of an integer is 20. */
export function asTyped(value: Json, type: Json | undefined): Json {
  if (isPlainly(value, type)) return value;
  const types = [type].flat();
  const text = scalarText(value);
  if (text === undefined || text.trim() === '' || fitsType(value, type)) return value;
  const number = Number(text);
  if (typeof value === 'string') {
    if (types.includes('integer') && Number.isSafeInteger(number)) return number;
    if (types.includes('number') && Number.isFinite(number)) return number;
    if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  } else if (types.includes('string')) return text;
  return value;
}

/** What nearly every value is: a text of a `string`, a flag of a `boolean`, a number of a `number`. */
function isPlainly(value: Json, type: Json | undefined): boolean {
  return typeof value === type && type !== 'object';
}

/** Whether a value is of one of the types; any value is where none is said. */
export function fitsType(value: Json, type: Json | undefined): boolean {
  if (isPlainly(value, type)) return true;
  if (readTypes(type ?? null) === undefined) return true;
  return [type].flat().some((one) => {
    if (one === 'array') return Array.isArray(value);
    if (one === 'object') return isObject(value);
    if (one === 'null') return value === null;
    if (one === 'integer') return Number.isInteger(value);
    return typeof value === (one === 'file' ? 'string' : one);
  });
}

/** `dependentRequired`: lists of property names. */
export function readDependentNames(value: Json): Json | undefined {
  if (!isObject(value)) return undefined;
  const out: JsonObject = {};
  for (const [name, names] of Object.entries(value)) {
    if (UNSAFE_KEYS.has(name) || !Array.isArray(names)) continue;
    out[name] = [...new Set(names.filter((item) => typeof item === 'string'))];
  }
  return Object.keys(out).length === 0 ? undefined : out;
}
