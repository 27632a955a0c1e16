import { isObject, type Json, type JsonObject, type JsonSchema } from '../operations/index.ts';
import { definitionNameOf } from './definition-reference.ts';
import { loosenUnions } from './loosen-unions.ts';
import type { SchemaSizes } from './schema-sizes.ts';
import { createSchemaTrimmer, type SchemaTrimmer } from './trim-schema.ts';

/** Characters of JSON above which texts below the top level are shortened, then dropped. */
export const SOFT_INPUT_BUDGET = 12_000;
/** Characters of JSON above which the definitions farthest from the root lose their structure. */
export const HARD_INPUT_BUDGET = 60_000;

export interface FittedInput {
  readonly schema: JsonSchema;
  /** How many definitions became free-form. */
  readonly opened: number;
}

/**
 * An input schema of a size that a model can read. Arguments keep their texts and all their constraints; deeper
 * down texts go first, then structure. What is taken away is only ever a constraint: the service still checks it.
 */
export function createInputFitter(
  sizes: SchemaSizes,
  descriptionBudget: number,
): (schema: JsonSchema) => FittedInput {
  const full = createSchemaTrimmer(descriptionBudget);
  const shorter = [createSchemaTrimmer(120), createSchemaTrimmer(0)];
  return (schema) => {
    let fitted = full(schema);
    if (sizes.of(fitted) <= SOFT_INPUT_BUDGET) return { schema: fitted, opened: 0 };
    for (const trim of shorter) {
      fitted = trimBelow(full(schema), trim);
      if (sizes.of(fitted) <= SOFT_INPUT_BUDGET) break;
    }
    if (sizes.of(fitted) <= HARD_INPUT_BUDGET) return { schema: fitted, opened: 0 };
    return openFarthest(fitted, sizes);
  };
}

/** Trims everything but the arguments' own descriptions. */
function trimBelow(schema: JsonSchema, trim: SchemaTrimmer): JsonSchema {
  const properties: JsonObject = {};
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    const short = trim(property);
    properties[name] =
      isObject(short) && isObject(property) && typeof property.description === 'string'
        ? { ...short, description: property.description }
        : short;
  }
  return {
    ...schema,
    properties,
    ...(isObject(schema.$defs) ? { $defs: trim(schema.$defs) } : {}),
  };
}

/** Keeps definitions in the order of their distance from the root until the budget is used up. */
function openFarthest(schema: JsonSchema, sizes: SchemaSizes): FittedInput {
  const definitions = isObject(schema.$defs) ? schema.$defs : {};
  const { $defs: _all, ...rest } = schema;
  const { root, opened: large } = openLargeArguments(rest, sizes);
  const kept: JsonObject = {};
  let left = HARD_INPUT_BUDGET - sizes.of(root);
  let opened = large;
  const queue = referencesOf(root);
  for (const name of queue) {
    const definition = definitions[name];
    if (definition === undefined || Object.hasOwn(kept, name)) continue;
    const size = sizes.of(definition);
    if (size <= left) {
      left -= size;
      kept[name] = definition;
      queue.push(...referencesOf(definition));
    } else {
      opened++;
      kept[name] = openDefinition(definition);
    }
  }
  return { schema: loosenUnions({ ...root, $defs: kept }), opened };
}

/** A single argument above the whole budget, an enumeration of a hundred thousand values say, keeps its type. */
function openLargeArguments(root: JsonSchema, sizes: SchemaSizes): { root: JsonSchema; opened: number } {
  const large = Object.entries(isObject(root.properties) ? root.properties : {}).filter(([, property]) =>
    sizes.exceeds(property, HARD_INPUT_BUDGET),
  );
  if (large.length === 0) return { root, opened: 0 };
  const opened = Object.fromEntries(large.map(([name, property]) => [name, openDefinition(property)]));
  return {
    root: { ...root, properties: { ...(root.properties as JsonObject), ...opened } },
    opened: large.length,
  };
}

function openDefinition(definition: Json): JsonSchema {
  const type = isObject(definition) ? definition.type : undefined;
  const description = 'Shortened here: see the documentation of the service.';
  if (type === undefined) return { description };
  const array = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return { type, ...(array ? { items: {} } : {}), description };
}

function referencesOf(value: Json): string[] {
  const names: string[] = [];
  const stack: Json[] = [value];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node === null || typeof node !== 'object') continue;
    if (!Array.isArray(node) && typeof node.$ref === 'string') {
      const name = definitionNameOf(node.$ref);
      if (name !== undefined) names.push(name);
    }
    for (const key in node) stack.push((node as JsonObject)[key]!);
  }
  return names.reverse();
}
