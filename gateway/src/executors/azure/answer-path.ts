import { isObject, type Json } from '../../operations/index.ts';
import { scalarText } from '../../operations/text/scalar-text.ts';

/** What a path of member names joined by `/` leads to; a member whose name holds the `/` itself comes first. */
export function atPath(value: Json, path: string | undefined): Json | undefined {
  if (path === undefined || path === '') return value;
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  let found: Json | undefined = value;
  for (const name of path.split('/').filter((step) => step !== '')) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = (found as { [key: string]: Json })[name];
  }
  return found;
}

/** The rows at a path; without one, the answer itself or its member `value`. Undefined: there is no list. */
export function rowsAt(value: Json, path: string | undefined): readonly Json[] | undefined {
  const found = atPath(value, path);
  if (Array.isArray(found)) return found;
  if (path !== undefined && path !== '') return undefined;
  return isObject(found) && Array.isArray(found['value']) ? found['value'] : undefined;
}

const COMPARISON = /^\(?\s*([\w./@-]+)\s+(eq|ne)\s+(?:'([^']*)'|([\w.-]+))\s*\)?$/;

/** Whether a row of a tree can be opened: `(IsFolder eq true)`, or a path to something true. */
export function isParentRow(row: Json, condition: string | undefined): boolean {
  if (condition === undefined) return false;
  const text = condition.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  const compared = COMPARISON.exec(text);
  if (compared === null) return isTrue(atPath(row, text));
  const [, path, operator, quoted, bare] = compared;
  const found = atPath(row, path);
  const said = found === null ? 'null' : (scalarText(found) ?? '');
  const equal = said.toLowerCase() === (quoted ?? bare ?? '').toLowerCase();
  return operator === 'eq' ? equal : !equal;
}

function isTrue(value: Json | undefined): boolean {
  return typeof value === 'string' ? value.toLowerCase() === 'true' : Boolean(value);
}
