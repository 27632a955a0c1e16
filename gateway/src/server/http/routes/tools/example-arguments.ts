import { dereferenced, typesOf } from '../../../../operations/invocation/argument-schema.ts';
import { isObject, type Json, type JsonObject } from '../../../../operations/json/json.ts';
import { escapeToken } from '../../../../operations/json/pointer.ts';

/** Arguments to begin with, made from a schema. */
export interface ExampleArguments {
  readonly arguments: JsonObject;
  /** Members whose values are made up: nothing in the schema states one. JSON Pointers. */
  readonly made: readonly string[];
}

/** Objects in objects that are followed; what lies deeper stays empty. */
const DEEPEST = 6;

/** Values of the form that a format names; none of them leads anywhere. */
const BY_FORMAT: Readonly<Record<string, string>> = Object.freeze({
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'person@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
});

/**
 * Example arguments for what a schema requires: values that it states (examples, defaults, choices) before values of
 * the right form. Pure; not validated, and no value is looked up anywhere.
 */
export function exampleArguments(inputSchema: JsonObject): ExampleArguments {
  const stated = firstOf(inputSchema['examples']);
  if (isObject(stated)) return { arguments: stated, made: [] };
  const made: string[] = [];
  return { arguments: objectExample(inputSchema, inputSchema, '', 0, made), made };
}

function objectExample(
  schema: JsonObject,
  root: JsonObject,
  pointer: string,
  depth: number,
  made: string[],
): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return {};
  const example: Record<string, Json> = {};
  for (const name of required) {
    if (typeof name !== 'string' || !Object.hasOwn(properties, name)) continue;
    const member = properties[name];
    const at = `${pointer}/${escapeToken(name)}`;
    Object.defineProperty(example, name, {
      value: valueExample(isObject(member) ? member : {}, root, at, depth + 1, made),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return example;
}

function valueExample(
  given: JsonObject,
  root: JsonObject,
  pointer: string,
  depth: number,
  made: string[],
): Json {
  const schema = dereferenced(root, given);
  for (const stated of [
    schema['const'],
    firstOf(schema['examples']),
    schema['example'],
    schema['default'],
    firstOf(schema['enum']),
  ]) {
    if (stated !== undefined) return stated;
  }
  const [choice] = [schema['oneOf'], schema['anyOf']].flat().filter(isObject);
  const [type] = typesOf(schema, root).filter((one) => one !== 'null');
  if (choice !== undefined && schema['properties'] === undefined && depth < DEEPEST)
    return valueExample(choice, root, pointer, depth + 1, made);
  if ((type === 'object' || isObject(schema['properties'])) && depth < DEEPEST)
    return objectExample(schema, root, pointer, depth, made);
  if (type === 'array') return arrayExample(schema, root, pointer, depth, made);
  if (type === 'object') return {};
  if (type === 'boolean') return true;
  if (type === undefined && typesOf(schema, root).includes('null')) return null;
  made.push(pointer);
  if (type === 'integer' || type === 'number') return numberExample(schema);
  return textExample(schema);
}

/** As few elements as are allowed. */
function arrayExample(
  schema: JsonObject,
  root: JsonObject,
  pointer: string,
  depth: number,
  made: string[],
): Json[] {
  const { items, minItems } = schema;
  const least = typeof minItems === 'number' ? Math.min(minItems, 3) : 0;
  if (depth >= DEEPEST) return [];
  return Array.from({ length: least }, (_, index) =>
    valueExample(isObject(items) ? items : {}, root, `${pointer}/${index}`, depth + 1, made),
  );
}

function numberExample({ minimum, maximum, exclusiveMinimum, multipleOf }: JsonObject): number {
  const least =
    typeof minimum === 'number'
      ? minimum
      : typeof exclusiveMinimum === 'number'
        ? exclusiveMinimum + 1
        : undefined;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const wanted = least === undefined || least <= step ? step : Math.ceil(least / step) * step;
  return typeof maximum === 'number' && wanted > maximum ? maximum : wanted;
}

function textExample({ format, minLength, maxLength }: JsonObject): string {
  const text = (typeof format === 'string' ? BY_FORMAT[format] : undefined) ?? 'example';
  if (typeof minLength === 'number' && text.length < minLength)
    return text.padEnd(Math.min(minLength, 1000), 'x');
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text;
}

function firstOf(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}
