import { ApiError } from '../../api/api-error.ts';
import { isObject } from '../../components/json/json-values.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** What the gateway found wrong with the arguments, by JSON Pointer; empty for any other failure. */
export function problemsOf(error: Error | undefined): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError) || error.code !== 'arguments_invalid') return NONE;
  const listed = error.details?.['errors'];
  const problems = new Map<string, string>();
  for (const one of Array.isArray(listed) ? listed : []) {
    if (!isObject(one) || typeof one['pointer'] !== 'string' || typeof one['message'] !== 'string') continue;
    if (!problems.has(one['pointer'])) problems.set(one['pointer'], one['message']);
  }
  if (problems.size === 0 && error.pointer !== undefined) problems.set(error.pointer, error.message);
  return problems;
}
