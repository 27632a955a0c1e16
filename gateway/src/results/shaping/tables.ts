import { isObject, type Json, type JsonObject } from '../../operations/index.ts';

const MAX_COLUMNS = 100;
/** A text that could be read as something else, or breaks the table, is written as in JSON. */
const PLAIN = /^[^\s",][^",\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;
const READS_OTHERWISE = /^(?:null|true|false|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)$/i;
const INVISIBLE = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * Flat rows as comma separated lines below one line of names: shorter than JSON, which says every name in every row.
 * An empty cell is absent, `null` is null, a text is written as in JSON where it could be read otherwise. Undefined where
 * rows are nested, or JSON is as short.
 */
export function tableText(rows: readonly Json[]): string | undefined {
  if (rows.length < 2) return undefined;
  const columns = columnsOf(rows);
  if (columns === undefined) return undefined;
  const lines = [columns.map(cellText).join(',')];
  for (const row of rows as readonly JsonObject[]) {
    lines.push(columns.map((name) => (Object.hasOwn(row, name) ? cell(row[name]!) : '')).join(','));
  }
  const text = lines.join('\n');
  return text.length < JSON.stringify(rows).length ? text : undefined;
}

/** In the order of their first row; undefined unless every row is an object of scalars. */
function columnsOf(rows: readonly Json[]): readonly string[] | undefined {
  const names = new Set<string>();
  for (const row of rows) {
    if (!isObject(row)) return undefined;
    for (const [name, value] of Object.entries(row)) {
      if (value !== null && typeof value === 'object') return undefined;
      names.add(name);
    }
    if (names.size > MAX_COLUMNS) return undefined;
  }
  return names.size === 0 ? undefined : [...names];
}

function cell(value: Json): string {
  return typeof value === 'string' ? cellText(value) : JSON.stringify(value);
}

function cellText(text: string): string {
  if (PLAIN.test(text) && !READS_OTHERWISE.test(text) && text.trim() === text) return text;
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
