import { isObject, type Json, type JsonObject, type JsonSchema } from '../../operations/index.ts';
import { alternativesOf, dereferenced, typesOf } from '../../operations/invocation/argument-schema.ts';

/** Objects within objects that are spelled out; what lies deeper is named by its type. */
const MOST_LEVELS = 6;
const MOST_VALUES = 12;
const NOTHING: ReadonlySet<string> = new Set();

/** Every argument with what it may be, its description and its members below it; without indentation. */
export function argumentLines(inputSchema: JsonSchema): string[] {
  const lines = createOutline(inputSchema).members(inputSchema, []);
  return lines.length === 0 ? ['none'] : lines;
}

/** The same of an answer, whose schema may be a choice. Anything in it may be null (decision 002), which is not said. */
export function answerLines(outputSchema: JsonSchema): string[] {
  const isSaid = (type: string) => type !== 'null';
  const lines = createOutline(outputSchema, isSaid).inner(outputSchema, []);
  return lines.length === 0 ? ['any'] : lines;
}

/** `within`: the schemas that the present one is a part of, so that one that holds itself ends. */
function createOutline(root: JsonSchema, isSaid = (_type: string) => true) {
  const members = (schema: JsonObject, within: readonly JsonObject[], told = NOTHING): string[] => {
    const { properties, required } = schema;
    const needed = new Set(Array.isArray(required) ? required : []);
    return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, given]) => {
      if (told.has(name)) return [];
      const member = isObject(given) ? dereferenced(root, given) : {};
      const facts = [
        typeText(member, root, isSaid),
        ...restrictions(member, root),
        ...ofElements(member, root),
      ].join(', ');
      return [
        `${name}${needed.has(name) ? ' (required)' : ''}: ${facts}`,
        ...indented([...textLines(member), ...inner(member, within)]),
      ];
    });
  };
  /** `told`: members that the whole describes of which this is a part. */
  const inner = (schema: JsonObject, within: readonly JsonObject[], told = NOTHING): string[] => {
    const { properties, items, allOf, contentSchema } = schema;
    const alternatives = [schema['oneOf'], schema['anyOf']];
    const key = [properties, items, allOf, contentSchema, ...alternatives].find(isPresent) as JsonObject;
    if (key === undefined || within.includes(key) || within.length >= MOST_LEVELS) return [];
    const below = [...within, key];
    const own = new Set([...told, ...Object.keys(isObject(properties) ? properties : {})]);
    const parts = (Array.isArray(allOf) ? allOf : []).filter(isObject);
    return [
      ...members(schema, below, told),
      ...[items, contentSchema].filter(isObject).flatMap((one) => inner(dereferenced(root, one), below)),
      ...parts.flatMap((part) => inner(dereferenced(root, part), below, own)),
      ...choices(schema, below),
    ];
  };
  const choices = (schema: JsonObject, within: readonly JsonObject[]): string[] => {
    const shapes = alternativesOf(schema, root).map((one) => ({
      type: typeText(one, root, isSaid),
      lines: inner(one, within),
    }));
    const told = shapes.filter(({ lines }) => lines.length > 0);
    if (told.length < 2) return told.flatMap(({ lines }) => lines);
    const differ = new Set(told.map(({ type }) => type)).size > 1;
    return told.flatMap(({ type, lines }, index) => [
      `${index === 0 ? 'either' : 'or'}${differ ? ` ${type}` : ''}`,
      ...indented(lines),
    ]);
  };
  return { members, inner };
}

/** `integer`, `string or null`, `array of object`, `string of JSON`. */
function typeText(schema: JsonObject, root: JsonSchema, isSaid: (type: string) => boolean): string {
  return typeNames(schema, root, isSaid).join(' or ') || 'any';
}

function typeNames(schema: JsonObject, root: JsonSchema, isSaid: (type: string) => boolean): string[] {
  const { type, items, allOf } = schema;
  const choices = type === undefined ? alternativesOf(schema, root) : [];
  if (choices.length > 0) return [...new Set(choices.flatMap((one) => typeNames(one, root, isSaid)))];
  const namesOf = (one: JsonObject) => typesOf(one, root).filter(isSaid);
  const parts = Array.isArray(allOf) ? allOf.filter(isObject).map((part) => dereferenced(root, part)) : [];
  const elements = isObject(items) ? namesOf(dereferenced(root, items)).join(' or ') : '';
  const found = [schema, ...parts].map(namesOf).find((named) => named.length > 0) ?? [];
  const json = schema['contentMediaType'] === 'application/json' ? 'JSON' : '';
  const of: Readonly<Record<string, string>> = { array: elements, string: json };
  return found.map((name) => (of[name] ? `${name} of ${of[name]}` : name));
}

function textLines({ description }: JsonObject): string[] {
  const text = typeof description === 'string' ? description.trim() : '';
  return text === '' ? [] : text.split(/\r?\n/);
}

function restrictions(schema: JsonObject, root: JsonSchema): string[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const { default: preset, format } = schema;
  return [
    ...(typeof format === 'string' ? [format] : []),
    ...(minimum === undefined ? [] : [`≥ ${minimum}`]),
    ...(above === undefined ? [] : [`> ${above}`]),
    ...(maximum === undefined ? [] : [`≤ ${maximum}`]),
    ...(below === undefined ? [] : [`< ${below}`]),
    ...valuesText(schema, root),
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
  ];
}

/** Values that are listed, also by its alternatives; `such as` where one of these leaves open what it may be. */
function valuesText(schema: JsonObject, root: JsonSchema): string[] {
  const alternatives = alternativesOf(schema, root).filter(({ type }) => type !== 'null');
  const lists = [schema, ...alternatives].map(listOf).filter((list) => list !== undefined);
  const all = [...new Set(lists.flat())];
  // the type says it
  const values = all.length === 1 ? all : all.filter((value) => value !== null);
  if (values.length === 0) return [];
  const isOpen = listOf(schema) === undefined && lists.length < alternatives.length;
  const told = values.slice(0, MOST_VALUES).map(shown).join(', ');
  return [`${isOpen ? 'such as' : 'one of'} ${told}${values.length > MOST_VALUES ? ', …' : ''}`];
}

function listOf(schema: JsonObject): readonly Json[] | undefined {
  const { enum: values } = schema;
  if (Array.isArray(values)) return values;
  return 'const' in schema ? [schema['const']!] : undefined;
}

/** An empty text is one of them that can be seen. */
const shown = (value: Json) =>
  value === '' || typeof value === 'object' ? JSON.stringify(value) : String(value);

/** What each element of a list may be, beside its type: `each one of a, b`. */
function ofElements({ items }: JsonObject, root: JsonSchema): string[] {
  const each = isObject(items) ? restrictions(dereferenced(root, items), root) : [];
  return each.length === 0 ? [] : [`each ${each.join(', ')}`];
}

const indented = (lines: readonly string[]) => lines.map((line) => `    ${line}`);

const isPresent = (value: Json | undefined) => isObject(value) || Array.isArray(value);
