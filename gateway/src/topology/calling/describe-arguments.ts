import { percentDecoded } from '../../operations/http/percent-decoded.ts';
import {
  isObject,
  type Json,
  type JsonSchema,
  type Operation,
  parsePointer,
  valueAt,
} from '../../operations/index.ts';
import { firstFew } from '../../operations/text/first-few.ts';
import { nameFamilies, namesOf, singleNames } from './name-families.ts';

const MOST_OPTIONAL = 25;
const MOST_VALUES = 8;
const MOST_MEMBERS = 12;

/** What an operation takes, in short: `pool (string), size (integer); optional: flags, owner`. For errors and lists. */
export function describeArguments({ id, input }: Pick<Operation, 'id' | 'input'>): string {
  const required = requiredOf(input);
  const properties = propertiesOf(input);
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const needed = required.map((name) => `${name} (${typeOf(properties[name], input)})`).join(', ');
  const families = optional.length > MOST_OPTIONAL ? nameFamilies(optional) : singleNames(optional);
  const others = families
    .slice(0, MOST_OPTIONAL)
    .map(({ text, names }) => (names > 1 ? text : shortOptional(text, properties[text], input)))
    .join(', ');
  const left = namesOf(families.slice(MOST_OPTIONAL));
  const more = left > 0 ? `, and ${left} more` : '';
  return [
    `Arguments of ${id}: ${needed === '' ? 'none required' : needed}`,
    ...(others === '' ? [] : [`optional: ${others}${more}`]),
  ].join('; ');
}

export function requiredOf(schema: JsonSchema): string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

export function propertiesOf(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  return isObject(properties) ? properties : {};
}

/** A schema in a few words: `integer`, `"a" or "b"`, `object with name, size`, `array of string`. */
export function typeOf(schema: Json | undefined, root: JsonSchema): string {
  const resolved = resolveReference(schema, root);
  if (!isObject(resolved)) return 'any';
  if (Array.isArray(resolved['enum'])) {
    const values = resolved['enum'].slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
    return `${values.join(' or ')}${resolved['enum'].length > MOST_VALUES ? ' or …' : ''}`;
  }
  const types = [resolved['type'] ?? []].flat().filter((type) => type !== 'null');
  if (types.includes('array')) return `array of ${typeName(resolveReference(resolved['items'], root))}`;
  if (types.includes('object') || (types.length === 0 && isObject(resolved['properties']))) {
    const required = requiredOf(resolved);
    const members = required.length > 0 ? required : Object.keys(propertiesOf(resolved));
    return members.length === 0 ? 'object' : `object with ${firstFew(members, MOST_MEMBERS)}`;
  }
  return types.length === 0 ? alternatives(resolved, root) : types.join(' or ');
}

function typeName(schema: Json | undefined): string {
  if (!isObject(schema)) return 'any';
  const [type] = [schema['type'] ?? []].flat();
  if (typeof type === 'string') return type;
  return isObject(schema['properties']) ? 'object' : 'any';
}

function alternatives(schema: JsonSchema, root: JsonSchema): string {
  const choices = ['anyOf', 'oneOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
  const names = choices
    .map((choice) => typeName(resolveReference(choice as Json, root)))
    .filter((name) => name !== 'null');
  return names.length === 0 ? 'any' : [...new Set(names)].slice(0, MOST_VALUES).join(' or ');
}

function shortOptional(name: string, schema: Json | undefined, root: JsonSchema): string {
  const resolved = resolveReference(schema, root);
  const type = typeName(resolved);
  if (type === 'object') return `${name} (${typeOf(resolved, root)})`;
  return type === 'string' || type === 'any' ? name : `${name} (${type})`;
}

/** The schema behind a chain of local references; what cannot be followed stays. */
export function resolveReference(schema: Json | undefined, root: JsonSchema): Json | undefined {
  let found = schema;
  for (let hops = 0; hops < 10 && isObject(found) && typeof found['$ref'] === 'string'; hops++) {
    const tokens = parsePointer(percentDecoded(found['$ref']));
    found = tokens === undefined ? undefined : (valueAt(root, tokens) as Json | undefined);
  }
  return found;
}
