import { ToolcribError } from '../../errors.ts';
import { isObject, type JsonObject } from '../json/json.ts';
import { escapeToken } from '../json/pointer.ts';
import type { Operation } from '../operation.ts';
import { isRequest } from './invocation.ts';

/**
 * What a request says by itself is no argument (the `type` of a GeoJSON feature), but whoever knows the format writes
 * it: the same value is left out, since it goes out anyway. Throws `arguments_invalid` for another one.
 */
export function withoutConstants({ input, invocation }: Operation, args: JsonObject): JsonObject {
  if (!isRequest(invocation)) return args;
  const { properties } = input;
  const known = isObject(properties) ? properties : {};
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(known, name));
  const said = unknown.filter((name) => {
    const constants = invocation.bindings.filter(
      (binding) => binding.const !== undefined && binding.name === name && SHOWN.has(binding.in),
    );
    if (constants.length === 0) return false;
    if (constants.some((binding) => binding.const === args[name])) return true;
    throw new ToolcribError(
      'arguments_invalid',
      `Argument ${name} has one value only, which is sent by itself: leave it out.`,
      { pointer: `/${escapeToken(name)}` },
    );
  });
  if (said.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !said.includes(name)));
}

/** Places that callers know by the format of what they send; headers and cookies are the operator's. */
const SHOWN: ReadonlySet<string> = new Set(['path', 'query', 'body']);
