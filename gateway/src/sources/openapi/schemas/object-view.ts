import { escapeToken, isObject, type Json, type JsonObject, UNSAFE_KEYS } from '../../../operations/index.ts';
import type { References } from '../read/references.ts';
import { MAX_PARTS_DEPTH } from './all-of.ts';
import { withRequiredMembers } from './required-members.ts';

export interface PropertyPart {
  readonly schema: unknown;
  readonly pointer: string;
}

/** An object schema with `allOf` merged. */
export interface ObjectView {
  /** A property that several parts describe has them all. */
  readonly properties: ReadonlyMap<string, readonly PropertyPart[]>;
  readonly required: ReadonlySet<string>;
  /** Its properties can stand side by side with other arguments without losing anything it says. */
  readonly flat: boolean;
  /** Keywords whose value is not what they take: nobody else reads them of an object that is flattened. */
  readonly misfits: readonly Misplaced[];
}

export interface Misplaced {
  readonly key: string;
  readonly pointer: string;
}

/** Keywords that say something about the object as a whole. */
const HOLISTIC: ReadonlySet<string> = new Set([
  'oneOf',
  'anyOf',
  'not',
  'if',
  'enum',
  'const',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  '$dynamicRef',
]);

/** Undefined when the schema is not an object's, or its parts are nested too deeply. `siblings`: keywords beside `$ref` count. */
export function viewObject(
  references: References,
  schema: unknown,
  pointer: string,
  siblings: boolean,
): ObjectView | undefined {
  // most of what is asked about is a text or a number
  if (isObject(schema) && typeof schema.$ref !== 'string' && !mayBeObject(schema)) return undefined;
  const view = {
    properties: new Map<string, PropertyPart[]>(),
    required: new Set<string>(),
    flat: true,
    misfits: [] as Misplaced[],
  };
  const seen = new Set<unknown>();
  const root = references.object(schema, pointer)?.node;
  if (root !== undefined && root.discriminator !== undefined) view.flat = false;
  const add = (node: unknown, at: string, depth: number): boolean => {
    if (!isObject(node)) return node === true;
    if (depth > MAX_PARTS_DEPTH) return false;
    if (seen.has(node)) return true;
    seen.add(node);
    if (typeof node.$ref === 'string') {
      const target = references.resolve(node.$ref);
      if (target === undefined || !add(target.node, target.pointer, depth + 1)) return false;
      if (!siblings) return true;
    }
    if (!mayBeObject(node)) return false;
    for (const key of READ_HERE)
      if (!fits(key, node[key])) view.misfits.push({ key, pointer: `${at}/${key}` });
    if (isHolistic(node)) view.flat = false;
    const properties = isObject(node.properties) ? node.properties : {};
    for (const name of Object.keys(properties)) {
      if (UNSAFE_KEYS.has(name)) view.flat = false;
      const parts = view.properties.get(name);
      const part = { schema: properties[name], pointer: `${at}/properties/${escapeToken(name)}` };
      if (parts === undefined) view.properties.set(name, [part]);
      else parts.push(part);
    }
    const { required } = withRequiredMembers(node);
    for (const name of Array.isArray(required) ? required : []) {
      if (typeof name === 'string') view.required.add(name);
    }
    const parts = Array.isArray(node.allOf) ? node.allOf : [];
    return parts.every((part, index) => add(part, `${at}/allOf/${index}`, depth + 1));
  };
  return add(schema, pointer, 0) ? view : undefined;
}

const READ_HERE = ['$ref', 'properties', 'required', 'allOf'] as const;

function fits(key: (typeof READ_HERE)[number], value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (key === '$ref') return typeof value === 'string';
  return key === 'properties' ? isObject(value) : Array.isArray(value);
}

function mayBeObject({ type }: JsonObject): boolean {
  return (
    type === undefined ||
    type === null ||
    type === 'object' ||
    (Array.isArray(type) && type.includes('object'))
  );
}

function isHolistic(node: JsonObject): boolean {
  const { additionalProperties, unevaluatedProperties } = node;
  if (additionalProperties === true || isObject(additionalProperties)) return true;
  if (unevaluatedProperties === true || isObject(unevaluatedProperties)) return true;
  for (const keyword in node) {
    if (!HOLISTIC.has(keyword)) continue;
    const value = node[keyword];
    if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)) return true;
  }
  return false;
}
