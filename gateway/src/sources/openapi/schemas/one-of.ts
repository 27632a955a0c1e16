import { isObject, type Json, type JsonObject } from '../../../operations/index.ts';
import type { References } from '../read/references.ts';
import { closesAPart, hasParts, MAX_PARTS_DEPTH } from './all-of.ts';
import { ANNOTATIONS, KEYWORDS } from './keywords.ts';

/** Steps of one comparison; real branches take some hundred. */
const MAX_STEPS = 20_000;
/** Levels of what is compared, deeper than any that people write; references may lead round in circles. */
const MAX_DEPTH = MAX_PARTS_DEPTH;

/** Say nothing about which values fit: `format` is not checked. */
const SILENT: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  'format',
  'contentEncoding',
  'contentMediaType',
]);

/**
 * Whether one branch of a `oneOf` describes nothing that another one does not admit too: the values of its own fit two
 * branches, and so none that it describes would ever pass. What is compared is what branches say; members that an open
 * object may have beside its own do not count.
 */
export function hasIdleBranch(references: References, branches: readonly Json[]): boolean {
  const comparison = new Comparison(references);
  return branches.some((narrow, index) =>
    branches.some((wide, at) => at !== index && comparison.admits(wide, narrow)),
  );
}

/** Says no where it cannot tell, or has compared too much. */
class Comparison {
  readonly #references: References;
  readonly #wholes = new Map<Json, JsonObject | undefined>();
  #left = MAX_STEPS;

  constructor(references: References) {
    this.#references = references;
  }

  /** Whether one schema admits whatever another one describes. */
  admits(wide: Json, narrow: Json | undefined, depth = 0): boolean {
    if (this.#left < 0 || depth > MAX_DEPTH || narrow === undefined) return false;
    if (wide === true || this.#same(wide, narrow)) return true;
    const outer = this.#whole(wide);
    const inner = outer && this.#whole(narrow);
    if (outer === undefined || inner === undefined) return false;
    return Object.entries(outer).every(([key, value]) => {
      if (!decides(key) || value === null) return true;
      switch (key) {
        case 'type':
          return typesOf(inner).length > 0 && typesOf(inner).every((type) => takes([value].flat(), type));
        case 'enum':
          return valuesOf(inner)?.every((one) => [value].flat().some((other) => this.#same(one, other)));
        case 'required':
          return namesOf(value).every((name) => namesOf(inner.required).includes(name));
        case 'properties':
          return this.#admitsMembers(objectOf(value), inner, depth + 1);
        case 'additionalProperties':
          return value === true || (value === false && isWithin(inner, outer));
        case 'items':
          return this.admits(value, inner.items, depth + 1);
        default:
          return this.#same(value, inner[key]);
      }
    });
  }

  #admitsMembers(members: JsonObject, narrow: JsonObject, depth: number): boolean {
    const described = objectOf(narrow.properties);
    return Object.entries(members).every(([name, schema]) =>
      Object.hasOwn(described, name)
        ? this.admits(schema, described[name], depth)
        : !namesOf(narrow.required).includes(name),
    );
  }

  #whole(schema: Json): JsonObject | undefined {
    if (!this.#wholes.has(schema)) this.#wholes.set(schema, this.#merged(schema));
    return this.#wholes.get(schema);
  }

  /** A schema as one: behind its references, with the parts of `allOf` together. Undefined where they contradict each other. */
  #merged(schema: Json, depth = 0): JsonObject | undefined {
    if (--this.#left < 0 || depth > MAX_DEPTH) return undefined;
    const node = this.#references.object(schema, '#')?.node;
    if (!Array.isArray(node?.allOf)) return node;
    const { allOf, ...own } = node;
    const whole: JsonObject = {};
    for (const part of [...allOf.map((one) => this.#merged(one, depth + 1)), own]) {
      if (this.#left < 0 || part === undefined) return undefined;
      const isOpen = hasParts(node) && closesAPart(part);
      for (const [key, value] of Object.entries(part)) {
        if (!decides(key) || (isOpen && key === 'additionalProperties')) continue;
        if (!this.#add(whole, key, value)) return undefined;
      }
    }
    return whole;
  }

  /** False for what two parts say differently, which is not looked into. */
  #add(whole: JsonObject, key: string, value: Json): boolean {
    const known = whole[key];
    if (key === 'required') whole[key] = [...namesOf(known), ...namesOf(value)];
    else if (key === 'properties') {
      const members = objectOf(known);
      whole[key] = { ...members, ...objectOf(value) };
      return Object.entries(objectOf(value)).every(
        ([name, schema]) => !Object.hasOwn(members, name) || this.#same(members[name], schema),
      );
    } else if (known === undefined) whole[key] = value;
    else return this.#same(known, value);
    return true;
  }

  #same(one: Json | undefined, other: Json | undefined, depth = 0): boolean {
    if (one === other) return true;
    if (--this.#left < 0 || depth > MAX_DEPTH || one === undefined || other === undefined) return false;
    if (Array.isArray(one) && Array.isArray(other))
      return (
        one.length === other.length && one.every((item, index) => this.#same(item, other[index], depth + 1))
      );
    if (!isObject(one) || !isObject(other)) return false;
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && this.#same(one[name], other[name], depth + 1))
    );
  }
}

function decides(key: string): boolean {
  return KEYWORDS.has(key) && !SILENT.has(key);
}

/** Whether a closed schema has no member that another one lacks. */
function isWithin(narrow: JsonObject, { properties }: JsonObject): boolean {
  const known = objectOf(properties);
  return (
    narrow.additionalProperties === false &&
    Object.keys(objectOf(narrow.properties)).every((name) => Object.hasOwn(known, name))
  );
}

function takes(types: readonly Json[], type: Json): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** What has members is an object, and what has items a list, where nothing else is said. */
function typesOf({ type, properties, items }: JsonObject): readonly Json[] {
  if (type !== undefined && type !== null) return [type].flat();
  return properties === undefined ? (items === undefined ? [] : ['array']) : ['object'];
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if ('const' in schema) return [schema.const!];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function namesOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
