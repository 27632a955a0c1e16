import { isObject, type JsonSchema, parsePointer, valueAt } from '../operations/index.ts';
import { didYouMean } from '../operations/text/nearest-name.ts';

/** Sub-schemas that say something about the same value. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const;
const CONDITIONAL = ['if', 'then', 'else'] as const;
/** Schemas come from strangers: a member that this many do not decide is taken as known. */
const MOST_SCHEMAS = 500;
const SCALARS: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null'];

/**
 * Why no argument can be at that place by the input schema: it is closed or declares members, and none is called so.
 * Followed as far as the schema says something; an open object may hold anything.
 */
export function argumentProblem(path: readonly string[], input: JsonSchema): string | undefined {
  const found = schemasAt(path, input);
  return typeof found === 'string' ? found : undefined;
}

/** Why the argument at that place cannot be a list of texts, numbers, true or false, as far as the schema says it. */
export function listProblem(path: readonly string[], input: JsonSchema): string | undefined {
  const name = ['args', ...path].join('.');
  const found = schemasAt(path, input);
  if (typeof found === 'string') return found;
  const about = everySchema(found, input) ?? [];
  if (saysOnly(about, (type) => type !== 'array'))
    return `each needs a list, and ${name} is none by input_schema.`;
  const items = about.flatMap(({ items: one, prefixItems: first }) => [
    ...(isObject(one) ? [one] : []),
    ...(Array.isArray(first) ? first.filter(isObject) : []),
  ]);
  return items.some((one) => saysOnly(everySchema([one], input) ?? [], (type) => !PLAIN.includes(type)))
    ? `each needs a list of texts, numbers, true or false, and ${name} has other items by input_schema.`
    : undefined;
}

const PLAIN: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** They name types, and each one is such. */
function saysOnly(about: readonly JsonSchema[], isSuch: (type: unknown) => boolean): boolean {
  const types = about.flatMap(({ type }) => type ?? []);
  return types.length > 0 && types.every(isSuch);
}

/** What is said about the value at that place, nothing where it is not known; a text: why there can be none. */
function schemasAt(path: readonly string[], input: JsonSchema): readonly JsonSchema[] | string {
  let schemas: JsonSchema[] = [input];
  let parent = 'args';
  for (const name of path) {
    const about = everySchema(schemas, input);
    if (about === undefined) return [];
    const found = memberSchemas(name, about);
    if (found === undefined) return problem(name, parent, about);
    if (found.length === 0) return [];
    schemas = found;
    parent += `.${name}`;
  }
  return schemas;
}

function problem(name: string, parent: string, about: readonly JsonSchema[]): string {
  const known = about.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
  const input = parent === 'args' ? 'input_schema' : `the schema of ${parent}`;
  return `${parent}.${name} is unknown: ${input} declares no ${name}.${didYouMean(name, known)}`;
}

/** @returns undefined where there can be no such member, an empty list where nothing is said about it */
function memberSchemas(name: string, about: readonly JsonSchema[]): JsonSchema[] | undefined {
  const found: JsonSchema[] = [];
  let [isDeclared, isOpen, isClosed] = [false, false, false];
  for (const schema of about) {
    const { properties, additionalProperties: more, patternProperties, items, prefixItems } = schema;
    if (isObject(properties)) {
      if (Object.hasOwn(properties, name)) {
        isDeclared = true;
        if (isObject(properties[name])) found.push(properties[name]);
      } else if (Object.keys(properties).length > 0) isClosed = true;
    }
    if (more === false) isClosed = true;
    if (isObject(more) || patternProperties !== undefined) isOpen = true;
    if (isObject(more) && !isDeclared) found.push(more);
    if (/^\d{1,9}$/.test(name) && (items !== undefined || prefixItems !== undefined)) {
      isDeclared = true;
      const own = Array.isArray(prefixItems) ? prefixItems[Number(name)] : undefined;
      const item = own ?? items;
      if (isObject(item)) found.push(item);
    }
  }
  const typed = about.filter(({ type }) => type !== undefined);
  if (typed.length > 0 && typed.every(isOnlyScalar)) isClosed = true;
  if (isDeclared || isOpen) return found;
  return isClosed ? undefined : [];
}

function isOnlyScalar({ type }: JsonSchema): boolean {
  const types = Array.isArray(type) ? type : [type];
  return types.every((one) => SCALARS.includes(one as string));
}

/** With everything that is combined with them and referred to; undefined where that is too much to look at. */
function everySchema(schemas: readonly JsonSchema[], root: JsonSchema): JsonSchema[] | undefined {
  const all = new Set<JsonSchema>(schemas);
  for (const schema of all) {
    const { $ref: reference } = schema;
    if (typeof reference === 'string') {
      const tokens = reference.startsWith('#') ? parsePointer(reference) : undefined;
      const target = tokens === undefined ? undefined : valueAt(root, tokens);
      if (!isObject(target)) return undefined;
      all.add(target);
    }
    for (const key of BRANCHES) {
      const branches = schema[key];
      if (Array.isArray(branches)) for (const one of branches) if (isObject(one)) all.add(one);
    }
    for (const key of CONDITIONAL) if (isObject(schema[key])) all.add(schema[key]);
    if (all.size > MOST_SCHEMAS) return undefined;
  }
  return [...all];
}
