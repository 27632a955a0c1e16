import { isDeepStrictEqual } from 'node:util';
import { type Binding, isObject, type Json, type JsonObject } from '../operations/index.ts';
import type { HttpOperation, ProxyRequest } from './proxy-types.ts';
import type { ReadPath } from './request-path.ts';

type Given = Pick<ProxyRequest, 'query' | 'body'>;

/**
 * Whether an operation describes such a request: nothing that it does not name, everything that it requires,
 * and its constants as they are. Tells operations on one method and path apart.
 */
export function acceptsFields({ input, invocation }: HttpOperation, given: Given, path: ReadPath): boolean {
  const query = { ...given.query, ...Object.fromEntries(path.query) };
  const records = recordsOf(given.body, invocation.body?.wrapInData === true);
  if (records === undefined) return false;
  const required = new Set(Array.isArray(input.required) ? (input.required as string[]) : []);
  const inQuery = invocation.bindings.filter((binding) => binding.in === 'query');
  const inBody = invocation.bindings.filter((binding) => binding.in === 'body');
  const wholeBody = inBody.some(({ name }) => name === '');
  return (
    describes(inQuery, query, required) &&
    (wholeBody || records.every((record) => describes(inBody, record, required)))
  );
}

function describes(bindings: readonly Binding[], given: JsonObject, required: ReadonlySet<string>): boolean {
  const names = new Set(bindings.map(({ name }) => name));
  if (!Object.keys(given).every((name) => names.has(name))) return false;
  return bindings.every(({ name, arg, const: constant }) => {
    const value = given[name];
    if (constant !== undefined) return value === undefined || isDeepStrictEqual(value, constant);
    return value !== undefined || arg === undefined || !required.has(arg);
  });
}

/** The objects whose members are the operation's body fields; undefined when the body is of another shape. */
function recordsOf(body: Json | undefined, wrapped: boolean): readonly JsonObject[] | undefined {
  if (body === undefined || body === null) return [{}];
  if (!isObject(body)) return undefined;
  if (!wrapped) return [body];
  const { data } = body;
  return Array.isArray(data) && data.length > 0 && data.every(isObject) ? (data as JsonObject[]) : undefined;
}
