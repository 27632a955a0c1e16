import { isDeepStrictEqual } from 'node:util';
import { ToolcribError } from '../../errors.ts';
import {
  isObject,
  isRequest,
  type Json,
  type JsonObject,
  type Operation,
  type OperationFacts,
  type ResolvedCall,
  type ShapingRequest,
} from '../../operations/index.ts';
import { propertiesOf, resolveReference } from './describe-arguments.ts';
import { listLimitOf } from './list-limits.ts';
import { asksForShape, mergeShaping, setOwn, takeShaping } from './shaping-arguments.ts';

/** The call that an operation and its arguments come to; lists that are read are shaped, others where it is asked for. */
export function resolvedOperation(
  facts: OperationFacts,
  operation: Operation,
  args: JsonObject,
  asked: ShapingRequest,
): ResolvedCall {
  const taken = takeShaping(args, propertiesOf(operation.input));
  const request = mergeShaping(asked, taken.request);
  const isShaped = facts.access === 'read' || asksForShape(request);
  return {
    operation,
    arguments: taken.arguments,
    ...(isShaped
      ? { shaped: { request, defaultLimit: listLimitOf(facts), byProperties: true as const } }
      : {}),
  };
}

/** Arguments with the values of the path's placeholders; one that was said differently is an error. */
export function withPlaceholders(
  operation: Operation,
  args: JsonObject,
  placeholders: Readonly<Record<string, string>>,
): JsonObject {
  const filled = { ...args };
  for (const { arg, name } of pathBindings(operation)) {
    const value = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined;
    if (value !== undefined) addArgument(filled, arg, asDeclared(value, operation, arg), '/path');
  }
  return filled;
}

/** Arguments that stand in the path, in its order. */
export function pathBindings({ invocation }: Operation): Array<{ arg: string; name: string }> {
  if (!isRequest(invocation)) return [];
  const { path, bindings } = invocation;
  return bindings
    .flatMap(({ in: place, arg, name }) => (place === 'path' && arg !== undefined ? [{ arg, name }] : []))
    .sort((a, b) => placeOf(path, a.name) - placeOf(path, b.name));
}

function placeOf(path: string, name: string): number {
  const at = path.indexOf(`{${name}`);
  return at < 0 ? path.length : at;
}

/** Adds an argument; given twice, it must be the same. Throws `arguments_invalid`. */
export function addArgument(args: JsonObject, name: string, value: Json, pointer: string): void {
  const before = Object.hasOwn(args, name) ? args[name] : undefined;
  if (before === undefined) setOwn(args, name, value);
  else if (!isSame(before, value))
    throw new ToolcribError(
      'arguments_invalid',
      `The argument ${name} is given twice, with different values.`,
      {
        pointer,
      },
    );
}

/** A number and its digits are the same. */
function isSame(one: Json, other: Json): boolean {
  if (typeof one === 'object' || typeof other === 'object') return isDeepStrictEqual(one, other);
  return String(one) === String(other);
}

/** A text as the number or truth value that the operation declares, where it is one. */
export function asDeclared(value: Json, { input }: Operation, arg: string): Json {
  const schema = resolveReference(propertiesOf(input)[arg], input);
  const types = isObject(schema) ? [schema['type'] ?? []].flat() : [];
  if (typeof value === 'number') {
    return types.includes('string') && !types.includes('number') && !types.includes('integer')
      ? String(value)
      : value;
  }
  if (typeof value !== 'string' || types.includes('string')) return value;
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (types.includes('number') && /^-?\d{1,15}\.\d{1,15}$/.test(value)) return Number(value);
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
