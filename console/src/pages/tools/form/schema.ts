import { isObject, type JsonObject } from '../../../components/json/json-values.ts';

/** JSON Schema 2020-12 as the gateway publishes it: `type: object` at the root, local references only. */
export type Schema = JsonObject;

/** Steps of references that are followed; a circle ends there. */
const STEPS = 16;

/** The schema itself with its references followed and its `allOf` joined. Never throws. */
export function resolved(given: unknown, root: Schema): Schema {
  let schema: Schema = isObject(given) ? given : {};
  for (let step = 0; step < STEPS; step += 1) {
    const { $ref: reference, ...beside } = schema;
    if (typeof reference !== 'string') break;
    const target = found(root, reference);
    if (target === undefined) break;
    schema = { ...target, ...beside };
  }
  return joined(schema, root, 0);
}

function found(root: Schema, reference: string): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  let value: unknown = root;
  for (const token of decoded(reference.slice(1)).split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return isObject(value) ? value : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Members of all parts together; of anything else the outer word counts. */
function joined(schema: Schema, root: Schema, depth: number): Schema {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf) || depth > STEPS) return schema;
  const parts = allOf.map((part) => joined(withoutReference(part, root), root, depth + 1));
  const properties: Record<string, unknown> = {};
  const required = new Set<string>();
  for (const part of [...parts, own]) {
    Object.assign(properties, objectOf(part['properties']));
    for (const name of namesOf(part['required'])) required.add(name);
  }
  return Object.assign(
    {},
    ...parts,
    own,
    Object.keys(properties).length === 0 ? {} : { properties },
    required.size === 0 ? {} : { required: [...required] },
  );
}

function withoutReference(part: unknown, root: Schema): Schema {
  let schema = objectOf(part);
  for (let step = 0; step < STEPS && typeof schema['$ref'] === 'string'; step += 1) {
    const { $ref: reference, ...beside } = schema;
    const target = found(root, reference as string);
    if (target === undefined) return beside;
    schema = { ...target, ...beside };
  }
  return schema;
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** JSON types that a schema names, through `enum` and `const` where it does not say; empty: any. */
export function typesOf(schema: Schema): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return namesOf(type);
  const values = Array.isArray(schema['enum'])
    ? schema['enum']
    : Object.hasOwn(schema, 'const')
      ? [schema['const']]
      : [];
  if (values.length > 0) return [...new Set(values.map(typeOf))];
  if (isObject(schema['properties'])) return ['object'];
  return schema['items'] === undefined && schema['prefixItems'] === undefined ? [] : ['array'];
}

/** The JSON type of a value; whole numbers are `integer`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Whether a value is of one of these types; none named: of any. */
export function isOfType(value: unknown, types: readonly string[]): boolean {
  const type = typeOf(value);
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}
