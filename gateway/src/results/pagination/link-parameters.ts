import type { JsonObject, Operation } from '../../operations/index.ts';
import { plain } from './page-parameters.ts';

/**
 * Query parameters that services put into the address of the next page without describing them (`x-ms-pageable` with
 * `nextLink`). Anything else of such an address is left alone: whoever wrote the answer chooses a page and nothing more.
 */
const NAMES: ReadonlySet<string> = new Set([
  'skiptoken',
  'continuationtoken',
  'nexttoken',
  'pagetoken',
  'nextpagetoken',
  'cursor',
  'marker',
  'skip',
  'offset',
  'page',
]);
const MAX_VALUE = 8192;

/** The undescribed parameter that leads on, by its name on the wire. */
export function linkParameter(query: URLSearchParams, operation: Operation): JsonObject | undefined {
  if (operation.invocation.kind !== 'http') return undefined;
  const described = new Set(operation.invocation.bindings.map(({ name }) => name));
  for (const [name, value] of query) {
    if (value === '' || value.length > MAX_VALUE || described.has(name)) continue;
    if (NAMES.has(plain(name))) return { [name]: value };
  }
  return undefined;
}

/** It may stand in the arguments of a next page though the operation has no argument of that name. */
export function isLinkParameter(name: string, { input, invocation }: Operation): boolean {
  const { properties } = input as { properties?: JsonObject };
  return invocation.kind === 'http' && !Object.hasOwn(properties ?? {}, name) && NAMES.has(plain(name));
}

/** Makes operations take such parameters while one of their next pages is read. */
export interface LinkParameters {
  /** The operation itself where these arguments need nothing that it does not describe. */
  operationFor(operation: Operation, args: JsonObject, given: JsonObject): Operation;
}

export function createLinkParameters(): LinkParameters {
  const made = new WeakMap<Operation, Map<string, Operation>>();
  return {
    operationFor(operation, args, given) {
      const { properties } = operation.input as { properties?: JsonObject };
      const name = Object.keys(args).find(
        (one) => !Object.hasOwn(given, one) && !Object.hasOwn(properties ?? {}, one) && NAMES.has(plain(one)),
      );
      if (name === undefined) return operation;
      const known = made.get(operation) ?? new Map<string, Operation>();
      made.set(operation, known);
      const extended = known.get(name) ?? withParameter(operation, name);
      known.set(name, extended);
      return extended;
    },
  };
}

function withParameter(operation: Operation, name: string): Operation {
  const { input, invocation } = operation;
  if (invocation.kind !== 'http') return operation;
  return {
    ...operation,
    input: { ...input, properties: { ...(input['properties'] as JsonObject), [name]: { type: 'string' } } },
    invocation: { ...invocation, bindings: [...invocation.bindings, { in: 'query', name, arg: name }] },
  };
}
