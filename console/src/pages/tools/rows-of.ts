import { isObject, type Json, type JsonObject } from '../../components/json/json-values.ts';

/** A list of objects as a table. */
export interface Rows {
  /** Where it stands in the answer: `results`; empty for the answer itself. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}

/** Columns that a screen holds. */
const COLUMNS = 8;

/** The answer, or the first list of objects in it, where a table says more than a tree. */
export function rowsOf(structured: unknown): Rows | undefined {
  const lists = isObject(structured) ? Object.entries(structured) : [['', structured] as const];
  for (const [name, list] of lists) {
    if (!Array.isArray(list) || list.length === 0 || !list.every(isObject)) continue;
    const rows = list as readonly JsonObject[];
    const columns = [...new Set(rows.slice(0, 50).flatMap((row) => Object.keys(row)))].filter((column) =>
      rows.some((row) => isPlain(row[column])),
    );
    if (columns.length > 0) return { name, columns: columns.slice(0, COLUMNS), rows };
  }
  return undefined;
}

/** A cell holds one value; what has parts is a word about it. */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return `${value.length} items`;
  return typeof value === 'object' ? '{ … }' : String(value);
}

function isPlain(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}
