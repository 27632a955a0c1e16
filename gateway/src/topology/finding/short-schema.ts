import { isObject, type Json, type JsonObject, type JsonSchema } from '../../operations/index.ts';
import { propertiesOf, requiredOf } from '../calling/describe-arguments.ts';
import { nameFamilies } from '../calling/name-families.ts';
import { listed, listedFamilies } from './hit-line.ts';
import { cutWords } from './purpose.ts';

export interface ShortSchema {
  readonly schema: JsonSchema;
  /** Nothing that matters to a caller was left out. */
  readonly whole: boolean;
}

/** How much of a schema stays; tried in this order until one fits. */
interface Measure {
  /** Characters of a description of a required, and of an optional property. */
  readonly required: number;
  readonly optional: number;
  /** Levels of properties below the arguments. */
  readonly depth: number;
  /** Values of an enumeration. */
  readonly values: number;
}

const MEASURES: readonly Measure[] = [
  { required: 160, optional: 100, depth: 3, values: 30 },
  { required: 100, optional: 50, depth: 2, values: 20 },
  { required: 80, optional: 0, depth: 1, values: 12 },
  { required: 60, optional: 0, depth: 0, values: 8 },
  { required: 0, optional: 0, depth: 0, values: 4 },
];
/** Characters of the names of properties that are named only. */
const NAMES = 300;
/** Alternatives of a `oneOf`, `anyOf` or `allOf` that are shown. */
const ALTERNATIVES = 4;

/** Kept as they are, where they are short. */
const PLAIN = [
  'type',
  'format',
  'const',
  'default',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
];
const PLAIN_LENGTH = 80;
/** Parts of a schema that are looked at; one with more of them is shown by its names. */
const MOST_PARTS = 3000;

/**
 * An input schema of at most so many characters of JSON: whole if it fits, else required properties first, texts cut,
 * what `$defs` hold put in its place one level deep, and at last optional properties by name only.
 */
export function shortSchema(input: JsonSchema, length: number): ShortSchema {
  if (JSON.stringify(input).length <= length) return { schema: input, whole: true };
  for (const measure of MEASURES) {
    const schema = new Shortening(input, measure).root();
    if (schema !== undefined && JSON.stringify(schema).length <= length) return { schema, whole: false };
  }
  return { schema: namesOnly(input, length), whole: false };
}

class Shortening {
  readonly #input: JsonSchema;
  readonly #measure: Measure;
  #parts = 0;

  constructor(input: JsonSchema, measure: Measure) {
    this.#input = input;
    this.#measure = measure;
  }

  /** Undefined: it has too many parts to be worth it. */
  root(): JsonSchema | undefined {
    const short = this.#object(this.#input, this.#measure.depth, false);
    return this.#parts > MOST_PARTS ? undefined : short;
  }

  /** @param inlined it stands where a reference to it stood: those within are only named */
  #schema(value: Json, depth: number, text: number, inlined: boolean): Json {
    if (!isObject(value)) return value;
    if (++this.#parts > MOST_PARTS) return {};
    const { $ref } = value;
    if (typeof $ref === 'string') return this.#reference(value, $ref, depth, text, inlined);
    return this.#object(value, depth, inlined, text);
  }

  #reference(value: JsonObject, reference: string, depth: number, text: number, inlined: boolean): Json {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    const definitions = this.#input['$defs'];
    const target = isObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (!isObject(target)) return { description: name };
    if (inlined) return { ...pick(target, ['type']), description: name };
    const { $ref: _reference, ...beside } = value;
    return this.#object({ ...target, ...beside }, depth, true, text);
  }

  #object(value: JsonObject, depth: number, inlined: boolean, text = 0): JsonObject {
    const { properties, items, additionalProperties, description } = value;
    const short: Record<string, Json> = { ...pick(value, PLAIN) };
    const { enum: choices } = value;
    if (Array.isArray(choices)) short['enum'] = choices.slice(0, this.#measure.values);
    if (typeof description === 'string' && text > 0) {
      short['description'] = cutWords(description.replace(/\s+/g, ' ').trim(), text);
    }
    if (isObject(properties)) this.#properties(short, value, properties, depth, inlined);
    if (isObject(items)) short['items'] = this.#schema(items, depth, Math.min(text, 60), inlined);
    if (isObject(additionalProperties) && depth > 0) {
      short['additionalProperties'] = this.#schema(additionalProperties, depth - 1, 0, inlined);
    }
    for (const key of ['oneOf', 'anyOf', 'allOf']) {
      const list = value[key];
      if (!Array.isArray(list)) continue;
      short[key] = list
        .slice(0, ALTERNATIVES)
        .map((one) => this.#schema(one, Math.max(0, depth - 1), 0, inlined));
    }
    return short;
  }

  #properties(
    short: Record<string, Json>,
    value: JsonObject,
    properties: JsonObject,
    depth: number,
    inlined: boolean,
  ): void {
    const isRoot = value === this.#input;
    if (depth <= 0 && !isRoot) {
      const names = Object.keys(properties);
      if (names.length > 0) short['description'] = `Members: ${listed(names, 120)}`;
      return;
    }
    const { required } = value;
    const needed = new Set(Array.isArray(required) ? required : []);
    const { required: long, optional: brief } = this.#measure;
    const inOrder = Object.entries(properties).sort(
      ([a], [b]) => Number(needed.has(b)) - Number(needed.has(a)),
    );
    // as own members, whatever their names
    short['properties'] = Object.fromEntries(
      inOrder.map(([name, one]) => {
        const text = needed.has(name) ? long : brief;
        return [name, this.#schema(one, isRoot ? depth : depth - 1, text, inlined)];
      }),
    );
    if (needed.size > 0) short['required'] = [...needed];
  }
}

/** Types of the required properties while they fit, and the names of the others. */
function namesOnly(input: JsonSchema, length: number): JsonSchema {
  const all = propertiesOf(input);
  const needed = requiredOf(input);
  const kept: Array<[string, Json]> = [];
  let room = length - NAMES * 2;
  for (const name of needed) {
    const one = Object.hasOwn(all, name) ? all[name] : undefined;
    const short = isObject(one) ? pick(one, ['type', 'format']) : {};
    room -= JSON.stringify(name).length * 2 + JSON.stringify(short).length + 3;
    if (room < 0) break;
    kept.push([name, short]);
  }
  const shown = new Set(kept.map(([name]) => name));
  const others = Object.keys(all).filter((name) => !shown.has(name));
  return {
    type: 'object',
    properties: Object.fromEntries(kept),
    required: kept.map(([name]) => name),
    ...(others.length === 0
      ? {}
      : { description: `Further arguments: ${listedFamilies(nameFamilies(others), NAMES)}` }),
  };
}

function pick(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const one = value[key];
      return one === undefined || JSON.stringify(one).length > PLAIN_LENGTH ? [] : [[key, one]];
    }),
  );
}
