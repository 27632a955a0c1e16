import type { JsonObject, Operation } from '../../../src/operations/index.ts';

/** An operation with arguments in the query, by name; `names`: how they are called on the wire, where that differs. */
export function listOperation(
  properties: JsonObject,
  names: Readonly<Record<string, string>> = {},
): Operation {
  return {
    id: 'list',
    source: 'api',
    input: { type: 'object', properties },
    invocation: {
      kind: 'http',
      bindings: Object.keys(properties).map((arg) => ({ in: 'query', name: names[arg] ?? arg, arg })),
    },
  } as unknown as Operation;
}
