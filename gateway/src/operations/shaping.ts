import { ToolcribError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from './json/json.ts';
import type { Operation } from './operation.ts';

/** What a caller asks to become of a list answer; taken out of its arguments before they are validated. */
export interface ShapingRequest {
  /** By field; several must all match. `_text` and `_has` look at whole rows. Grammar: `results/shaping/filter.ts`. */
  readonly filters?: JsonObject;
  /** Dotted paths to keep; absent: every field. */
  readonly fields?: readonly string[];
  /** From an earlier answer of the same operation. */
  readonly cursor?: string;
  /** Rows of this answer. */
  readonly limit?: number;
  /** Pages to read one after the other; at most what the policy allows. Default 1. */
  readonly pages?: number;
  /** True: the answer as the service gave it, up to the output cap. */
  readonly off?: boolean;
}

/** One shaped list. Rows are the service's own, fields left out, never changed. */
export interface ShapedAnswer {
  /** What is returned in place of the answer. */
  readonly structured: JsonObject;
  readonly text: string;
}

/** Rows of a stored answer, asked for again: projection, filter and cursor over the whole of it. */
export interface StoredQuery extends Omit<ShapingRequest, 'pages' | 'off'> {
  /** The id that the summary named. */
  readonly responseId: string;
}

/** Why a call's answer is shaped, and how far. */
export interface ShapedCall {
  readonly request: ShapingRequest;
  /** Rows where the caller says no limit. */
  readonly defaultLimit: number;
  /** Pages that the configuration allows at most, whatever a cursor says; default MAX_SHAPED_PAGES. */
  readonly maxPages?: number;
  /** Dotted paths that the operation's hints call essential; kept where nothing else is asked for and rows are many. */
  readonly essential?: readonly string[];
  /** The tool that was called has `cursor`, `limit` and `fields` as properties of its own: notes name those. */
  readonly byProperties?: true;
}

/** Names of the reserved arguments of shaped tools; filters one by one (`_filter_<field>`) or in one object. */
export const SHAPING_ARGUMENTS = Object.freeze({
  filters: '_filter',
  filter: '_filter_',
  fields: '_fields',
  cursor: '_cursor',
  limit: '_limit',
  pages: '_pages',
  off: 'no_optimize',
});

/** Rows that a caller may ask for at once, and pages that are read one after the other. */
export const MAX_SHAPED_ROWS = 1000;
export const MAX_SHAPED_PAGES = 20;
/** Fields that can be asked for. */
export const MAX_SHAPED_FIELDS = 100;

/** Arguments without the reserved ones, and what those ask for. */
export interface TakenArguments {
  readonly arguments: JsonObject;
  readonly request: ShapingRequest;
}

/**
 * Takes the reserved arguments out; where the operation has a parameter of that name, it is the operation's. `_fields`
 * may be a list or a text with commas, numbers may be text. Throws `arguments_invalid`.
 */
export function takeShapingArguments(args: JsonObject, { input }: Pick<Operation, 'input'>): TakenArguments {
  const own = isObject(input['properties']) ? input['properties'] : {};
  const kept: [string, Json][] = [];
  const filters: [string, Json][] = [];
  const request: { -readonly [Key in keyof ShapingRequest]: ShapingRequest[Key] } = {};
  const { filters: all, filter, fields, cursor, limit, pages, off } = SHAPING_ARGUMENTS;
  for (const [name, value] of Object.entries(args)) {
    if (Object.hasOwn(own, name)) kept.push([name, value]);
    else if (name === all && isObject(value)) filters.push(...Object.entries(value));
    else if (name.startsWith(filter) && name.length > filter.length)
      filters.push([name.slice(filter.length), value]);
    else if (name === fields) request.fields = fieldList(name, value);
    else if (name === cursor) request.cursor = cursorText(name, value);
    else if (name === limit) request.limit = wholeNumber(name, value, MAX_SHAPED_ROWS);
    else if (name === pages) request.pages = wholeNumber(name, value, MAX_SHAPED_PAGES);
    else if (name === off) request.off = value === true || value === 'true';
    else kept.push([name, value]);
  }
  if (filters.length > 0) request.filters = Object.fromEntries(filters);
  return { arguments: Object.fromEntries(kept), request };
}

function fieldList(name: string, value: Json): readonly string[] {
  const list = typeof value === 'string' ? value.split(',') : value;
  const fields = Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? one.trim() : '')) : [];
  if (fields.length === 0 || fields.length > MAX_SHAPED_FIELDS || fields.includes('')) {
    throw invalid(name, 'takes 1 to 100 field names, such as ["id", "status", "owner.name"]');
  }
  return fields;
}

function cursorText(name: string, value: Json): string {
  if (typeof value !== 'string' || value === '')
    throw invalid(name, 'takes next_cursor of an earlier answer');
  return value;
}

function wholeNumber(name: string, value: Json, most: number): number {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > most) {
    throw invalid(name, `takes a whole number from 1 to ${most}`);
  }
  return number;
}

function invalid(name: string, problem: string): ToolcribError {
  return new ToolcribError('arguments_invalid', `Argument ${name} ${problem}.`, { pointer: `/${name}` });
}
