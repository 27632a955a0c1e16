import { ToolcribError } from '../../errors.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  SHAPING_ARGUMENTS,
  type ShapingRequest,
} from '../../operations/index.ts';

/** Properties of a topology's tool that ask for a shape; the same words as the reserved arguments of an operation. */
export const SHAPING_PROPERTIES: JsonSchema = Object.freeze({
  filters: { type: 'object' },
  fields: { type: 'array', items: { type: 'string' } },
  limit: { type: 'integer', minimum: 1 },
  cursor: { type: 'string' },
});

/** How lists are filtered; stands once in every list of tools that has filters. */
export const FILTER_GRAMMAR =
  'filters: {field: value}, all must match. Value: exact, [a,b] any of, "~regex", ">5" ">=5" "<5" "<=5" "!=5"; dotted fields; _text: text anywhere; _has: fields present.';

type Shaping = { -readonly [name in keyof ShapingRequest]: ShapingRequest[name] };

/** What is asked for by a tool's own properties. Throws `arguments_invalid`. */
export function shapingOf(properties: JsonObject): ShapingRequest {
  const shaping: Shaping = {};
  const { filters, fields, limit, cursor, pages } = properties;
  if (filters !== undefined) shaping.filters = filtersIn(filters, '/filters');
  if (fields !== undefined) shaping.fields = fieldsIn(fields, '/fields');
  if (limit !== undefined) shaping.limit = countIn(limit, '/limit');
  if (pages !== undefined) shaping.pages = countIn(pages, '/pages');
  if (cursor !== undefined) shaping.cursor = textIn(cursor, '/cursor');
  if (properties[SHAPING_ARGUMENTS.off] === true) shaping.off = true;
  return shaping;
}

/**
 * Takes the reserved arguments (`_filter_<field>`, `_fields`, `_limit` …) out of an operation's. A parameter of the
 * operation's own that has such a name stays its own. Throws `arguments_invalid`.
 */
export function takeShaping(
  args: JsonObject,
  own: JsonSchema,
): { readonly arguments: JsonObject; readonly request: ShapingRequest } {
  const kept: JsonObject = {};
  const filters: JsonObject = {};
  const taken: JsonObject = {};
  for (const [name, value] of Object.entries(args)) {
    const reserved = Object.hasOwn(own, name) ? undefined : propertyOf(name);
    if (reserved !== undefined) setOwn(taken, reserved, value);
    else if (!Object.hasOwn(own, name) && isFilter(name))
      setOwn(filters, name.slice(SHAPING_ARGUMENTS.filter.length), value);
    else setOwn(kept, name, value);
  }
  const some = Object.keys(filters).length > 0;
  return { arguments: kept, request: { ...shapingOf(taken), ...(some ? { filters } : {}) } };
}

/** Both requests; filters add up, of the rest the first says more. */
export function mergeShaping(first: ShapingRequest, second: ShapingRequest): ShapingRequest {
  const both = { ...second, ...first };
  if (first.filters === undefined || second.filters === undefined) return both;
  return { ...both, filters: { ...second.filters, ...first.filters } };
}

export function asksForShape(request: ShapingRequest): boolean {
  return Object.keys(request).length > 0;
}

function isFilter(name: string): boolean {
  return name.startsWith(SHAPING_ARGUMENTS.filter) && name.length > SHAPING_ARGUMENTS.filter.length;
}

/** `_fields` → `fields`. */
function propertyOf(name: string): string | undefined {
  if (name === SHAPING_ARGUMENTS.off) return name;
  const { fields, cursor, limit, pages } = SHAPING_ARGUMENTS;
  return [fields, cursor, limit, pages].includes(name as typeof fields) ? name.slice(1) : undefined;
}

function filtersIn(value: Json, pointer: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(pointer, 'an object of fields and what they must be');
}

function fieldsIn(value: Json, pointer: string): string[] {
  const fields = typeof value === 'string' ? value.split(',').map((field) => field.trim()) : value;
  if (Array.isArray(fields) && fields.every((field) => typeof field === 'string' && field !== '')) {
    return fields as string[];
  }
  throw invalid(pointer, 'a list of field names');
}

function countIn(value: Json, pointer: string): number {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) return count;
  throw invalid(pointer, 'a whole number above 0');
}

function textIn(value: Json, pointer: string): string {
  if (typeof value === 'string') return value;
  throw invalid(pointer, 'a text');
}

function invalid(pointer: string, rule: string): ToolcribError {
  return new ToolcribError('arguments_invalid', `${pointer.slice(1)} must be ${rule}.`, { pointer });
}

/** Sets an own property, whatever it is called. */
export function setOwn(target: JsonObject, name: string, value: Json): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
