import {
  type HelperCall,
  type HelperParameter,
  isObject,
  type Json,
  type JsonObject,
  UNSAFE_KEYS,
} from '../../operations/index.ts';
import type { ArgumentPlaces } from './argument-places.ts';

/** What an operation can be asked with, by names on the wire. */
export interface HelperInputs {
  readonly names: ReadonlySet<string>;
  /** Those that must be given: required, without a default. */
  readonly needed: ReadonlySet<string>;
  /** Name of the body parameter. */
  readonly body: string | undefined;
}

/** Undefined: there is no such operation. */
export type InputsOf = (operationId: string) => HelperInputs | undefined;

/** A call that cannot be made, and why. */
export interface Unusable {
  readonly problem: string;
}

/**
 * The call of another operation that an extension describes: literal values, references to arguments, and for trees
 * members of the opened node.
 */
export function helperCall(
  extension: JsonObject,
  places: ArgumentPlaces,
  inputsOf: InputsOf,
): HelperCall | Unusable {
  const { operationId, parameters } = extension;
  if (typeof operationId !== 'string') return { problem: nowhere(extension) };
  const inputs = inputsOf(operationId);
  if (inputs === undefined) return { problem: `there is no operation ${operationId}` };
  const found: [string, HelperParameter][] = [];
  for (const [key, said] of Object.entries(isObject(parameters) ? parameters : {})) {
    const name = wireName(key, inputs);
    if (name === undefined || UNSAFE_KEYS.has(name)) continue;
    const parameter = parameterOf(said, places);
    if (parameter === undefined && inputs.needed.has(name))
      return { problem: `${operationId} needs ${name} from ${JSON.stringify(said)}, which is no argument` };
    if (parameter !== undefined && parameter !== 'absent') found.push([name, parameter]);
  }
  return { operation: operationId, parameters: Object.fromEntries(found) };
}

/** `item`, `body/item` and `<body parameter>/item` are the same; the whole body is ``. What nobody declares is not sent. */
function wireName(key: string, { names, body }: HelperInputs): string | undefined {
  if (names.has(key)) return key;
  if (key === 'body' || key === body) return names.has('') ? '' : undefined;
  const [first, ...rest] = key.split('/');
  const inner = rest.join('/');
  return (first === 'body' || first === body) && names.has(inner) ? inner : undefined;
}

function nowhere({ builtInOperation }: JsonObject): string {
  if (typeof builtInOperation === 'string') return `${builtInOperation} is built into Microsoft's designers`;
  return 'it names no operation';
}

/** `null` literals mean that nothing is sent. */
function parameterOf(said: Json, places: ArgumentPlaces): HelperParameter | 'absent' | undefined {
  if (said === null) return 'absent';
  if (!isObject(said)) return { value: said };
  const reference = said.parameterReference ?? said.parameter;
  if (typeof reference === 'string') return places.find(reference);
  if (typeof said.selectedItemValuePath === 'string') return { selected: said.selectedItemValuePath };
  if (Object.hasOwn(said, 'value')) return said.value === null ? 'absent' : { value: said.value! };
  return { value: said };
}
