import { isObject, type JsonObject } from '../json/json.ts';
import type { Operation } from '../operation.ts';
import { isRequest } from './invocation.ts';

/** Places that callers know by the format of what they send; headers and cookies are the operator's. */
const KNOWN_PLACES: ReadonlySet<string> = new Set(['path', 'query', 'body']);

/**
 * What a request says by itself is no argument (the `type` of a GeoJSON feature), but whoever knows the format writes
 * it: the same value is left out, since it goes out anyway. Another one stays, to be refused as any unknown argument.
 */
export function withoutConstants({ input, invocation }: Operation, args: JsonObject): JsonObject {
  if (!isRequest(invocation)) return args;
  const { properties } = input;
  const known = isObject(properties) ? properties : {};
  const said = Object.keys(args).filter(
    (name) =>
      !Object.hasOwn(known, name) &&
      invocation.bindings.some(
        (binding) => binding.name === name && KNOWN_PLACES.has(binding.in) && binding.const === args[name],
      ),
  );
  if (said.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !said.includes(name)));
}
