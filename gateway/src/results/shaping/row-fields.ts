import { ToolcribError } from '../../errors.ts';
import { isObject, type Json } from '../../operations/index.ts';
import { cleanText } from '../../operations/text/clean-text.ts';
import { didYouMean } from '../../operations/text/nearest-name.ts';
import { type FieldPath, valuesAt } from './field-path.ts';

const LOOKED_AT = 10;
const MAX_FIELDS = 100;
const MAX_NAME = 64;
/** Names that an error lists. */
const MAX_NAMED = 30;

/** Names of the first ten rows' fields, sorted; at most a hundred. */
export function availableFields(rows: readonly Json[], nested = false): readonly string[] {
  const names = new Set<string>();
  for (const row of rows.slice(0, LOOKED_AT)) {
    if (!isObject(row)) continue;
    for (const [name, value] of Object.entries(row)) {
      names.add(name.slice(0, MAX_NAME));
      if (nested && isObject(value))
        for (const inner of Object.keys(value).slice(0, MAX_FIELDS)) names.add(`${name}.${inner}`);
      if (names.size > 10 * MAX_FIELDS) break;
    }
  }
  return [...names].sort().slice(0, nested ? 5 * MAX_FIELDS : MAX_FIELDS);
}

/** A field name of a service, or of a caller, within a sentence of ours: as JSON, cleaned, on one line. */
export function quotedName(name: string): string {
  return JSON.stringify(cleanText(name.slice(0, MAX_NAME)).text);
}

/** Throws `filter_invalid` for a field that no row has: a mistyped name must not look like an empty answer. */
export function checkFields(
  rows: readonly Json[],
  fields: readonly { readonly name: string; readonly path: FieldPath }[],
): void {
  const problem = unknownField(rows, fields);
  if (problem !== undefined) throw new ToolcribError('filter_invalid', problem.message, problem.place);
}

/** The first field that no row has, in a sentence. */
export function unknownField(
  rows: readonly Json[],
  fields: readonly { readonly name: string; readonly path: FieldPath }[],
): { readonly message: string; readonly place: { readonly pointer: string } } | undefined {
  if (rows.length === 0) return undefined;
  const missing = fields.find(({ path }) => rows.every((row) => valuesAt(row, path).length === 0));
  if (missing === undefined) return undefined;
  const { name } = missing;
  return {
    message: `No row has a field ${quotedName(name)}.${suggestion(name, rows)} ${listed(rows)}`,
    place: { pointer: `/_filter_${name.slice(0, 100)}` },
  };
}

/** ` Did you mean "status"?` with a name of the rows, or nothing. */
export function suggestion(name: string, rows: readonly Json[]): string {
  const known = availableFields(rows, true).map((one) => cleanText(one).text);
  return didYouMean(name, known);
}

function listed(rows: readonly Json[]): string {
  const fields = availableFields(rows);
  if (fields.length === 0) return 'The rows are no objects: only _text can filter them.';
  const more = fields.length > MAX_NAMED ? ` and ${fields.length - MAX_NAMED} more` : '';
  return `Rows have ${fields.slice(0, MAX_NAMED).map(quotedName).join(', ')}${more}.`;
}
