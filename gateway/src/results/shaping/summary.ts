import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { clip, shortText } from './clip.ts';
import { project } from './projection.ts';
import { availableFields } from './row-fields.ts';

const COUNTED = ['status', 'state', 'health'];
const FAILED: ReadonlySet<string> = new Set(['error', 'failed', 'down']);
const MAX_CRITICAL = 5;
const MAX_ERRORS = 3;
const MAX_SAMPLES = 3;
const MAX_SCALAR_SAMPLES = 5;
const MAX_KINDS = 20;
/** Characters of one sample as JSON. */
const SAMPLE_LENGTH = 800;
const OTHERS = '(others)';

/**
 * Many rows in few words: how many of which status, state and health, what is critical or failed, samples, and the
 * fields to ask for. Samples have these fields only, where some are named, and are cut where they are long.
 */
export function summarise(rows: readonly Json[], fields?: readonly string[]): JsonObject {
  const errors = rows.filter(isFailed);
  const critical = rows.filter((row) => isFailed(row) || textOf(row, 'status') === 'critical');
  const samples = rows.slice(0, rows.every(isObject) ? MAX_SAMPLES : MAX_SCALAR_SAMPLES);
  return {
    total_count: rows.length,
    ...counts(rows),
    ...(critical.length === 0
      ? {}
      : {
          critical_count: critical.length,
          critical_items: clipped(critical.slice(0, MAX_CRITICAL), fields),
        }),
    ...(errors.length === 0
      ? {}
      : { errors_found: errors.length, error_samples: clipped(errors.slice(0, MAX_ERRORS), fields) }),
    sample_items: clipped(samples, fields),
    available_fields: [...availableFields(rows)],
  };
}

function counts(rows: readonly Json[]): JsonObject {
  const found: [string, Json][] = [];
  for (const field of COUNTED) {
    const byKind = new Map<string, number>();
    for (const row of rows) {
      const value = isObject(row) && Object.hasOwn(row, field) ? row[field]! : undefined;
      if (value === undefined || value === null || typeof value === 'object') continue;
      const kind = shortText(String(value), 64);
      const key = byKind.has(kind) || byKind.size < MAX_KINDS ? kind : OTHERS;
      byKind.set(key, (byKind.get(key) ?? 0) + 1);
    }
    if (byKind.size > 0) found.push([`by_${field}`, Object.fromEntries(byKind)]);
  }
  return Object.fromEntries(found);
}

function isFailed(row: Json): boolean {
  if (!isObject(row)) return false;
  if (FAILED.has(textOf(row, 'status')) || FAILED.has(textOf(row, 'state'))) return true;
  if (/^(?:health_)?err(?:or)?$/.test(textOf(row, 'health'))) return true;
  return isTruthy(row, 'error') || isTruthy(row, 'has_error');
}

function textOf(row: Json, field: string): string {
  const value = isObject(row) && Object.hasOwn(row, field) ? row[field] : undefined;
  return typeof value === 'string' ? value.toLowerCase() : '';
}

/** Not `false`, 0, '', null, `[]` or `{}`. */
function isTruthy(row: JsonObject, field: string): boolean {
  const value = Object.hasOwn(row, field) ? row[field] : undefined;
  if (value === null || typeof value !== 'object') return Boolean(value);
  return Object.keys(value).length > 0;
}

function clipped(rows: readonly Json[], fields: readonly string[] | undefined): Json[] {
  const shown = fields === undefined ? rows : project(rows, fields).rows;
  return shown.map((row) => clip(row, SAMPLE_LENGTH));
}
