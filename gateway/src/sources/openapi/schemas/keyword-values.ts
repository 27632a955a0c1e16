import { isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import { isShallow } from '../../../operations/json/is-shallow.ts';
import { SCHEMA_TYPES } from '../../../operations/json/schema-types.ts';
import { scalarText } from '../../../operations/text/scalar-text.ts';

/** Levels of lists and objects within each other that a value of data may have; nobody writes more by hand. */
const MAX_LEVELS = 100;

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

/** One type or a list of them; `file` is text by then. Undefined where none is known. */
export function readTypes(value: Json): Json | undefined {
  if (typeof value === 'string')
    return value === 'file' ? 'string' : SCHEMA_TYPES.has(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const types = [...new Set(value.filter((type) => SCHEMA_TYPES.has(type)))];
  return types.length === 0 ? undefined : types.length === 1 ? types[0] : types;
}

/**
 * The allowed values, each once. Values that YAML or the author wrote in another type than the schema's are turned
 * into it (`type: string, enum: [1, 2]`): nothing could match them otherwise.
 */
export function readEnum(value: Json, type: Json | undefined): Json | undefined {
  if (!Array.isArray(value) || value.length === 0 || !isUsableValue(value)) return undefined;
  const values = new Set(value);
  if (type === 'string') {
    if (![...values].some((item) => typeof item === 'string')) return [...values].map(asText);
  } else if (type === 'integer' || type === 'number') {
    if (
      [...values].every((item) => typeof item === 'string' && item !== '' && Number.isFinite(Number(item)))
    ) {
      return [...values].map(Number);
    }
  }
  return [...values];
}

function asText(value: Json): Json {
  return scalarText(value) ?? value;
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
