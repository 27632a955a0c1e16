import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { typedValue } from '../call/parse-arguments.ts';

/** One of the values that a field takes, as its server words it. */
interface Option {
  readonly value: Json;
  readonly label: string;
}

/** One property of a form, as a person is asked for it. */
export interface Field {
  readonly key: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  /** How the line begins. */
  readonly title: string;
  /** Lines before it: what it is for, and what may be chosen. */
  readonly lines: readonly string[];
  /** The default as a person would write it, or nothing. */
  readonly initial: string;
  /** What the person wrote, as the schema has it; what does not fit stays text. Throws `arguments_invalid` for a number that a double cannot hold. */
  read(text: string): Json;
}

/** UTF-16 units of one text of a server that are shown, and options of one field. */
const MAX_TEXT = 300;
const MAX_OPTIONS = 100;

/** Fields in the order of the form (MCP, elicitation: a flat object of primitive values, and lists to choose from). */
export function fieldsOf({ properties, required }: JsonObject): Field[] {
  if (!isObject(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([key, schema]) =>
    fieldOf(key, isObject(schema) ? schema : {}, needed.has(key)),
  );
}

function fieldOf(key: string, schema: JsonObject, required: boolean): Field {
  const isList = schema['type'] === 'array';
  const options = optionsOf(isList && isObject(schema['items']) ? schema['items'] : schema);
  const one = (text: string): Json => chosen(text, options) ?? plain(text, schema);
  const { title, description } = schema;
  return {
    key,
    schema,
    required,
    title: `${shown(typeof title === 'string' && title !== '' ? title : key)}${hint(schema, required)}`,
    lines: [
      ...(typeof description === 'string' ? [shown(description)] : []),
      ...options.slice(0, MAX_OPTIONS).map(({ label }, at) => `${at + 1} ${shown(label)}`),
      ...(options.length > MAX_OPTIONS ? [`… and ${options.length - MAX_OPTIONS} more`] : []),
    ],
    initial: initialOf(schema['default'], options),
    read(text) {
      if (!isList || options.length === 0) return one(text);
      return text.split(',').map((part) => chosen(part.trim(), options) ?? part.trim());
    },
  };
}

/** What kind of text is wanted, in brackets. */
function hint(schema: JsonObject, required: boolean): string {
  const { type, format, minimum, maximum } = schema;
  const range = [
    typeof minimum === 'number' ? `from ${minimum}` : '',
    typeof maximum === 'number' ? `to ${maximum}` : '',
  ];
  const words = [
    type === 'boolean' ? 'yes or no' : '',
    type === 'integer' ? 'whole number' : type === 'number' ? 'number' : '',
    type === 'array' ? 'several, with commas' : '',
    typeof format === 'string' ? shown(format) : '',
    ...range,
    required ? '' : 'may be empty',
  ].filter((word) => word !== '');
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** `enum` with `enumNames`, or a list of titled constants (MCP 2025-11-25, elicitation). */
function optionsOf(schema: JsonObject): Option[] {
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(titled)) {
    return titled
      .filter(isObject)
      .flatMap(({ const: value, title }) =>
        value === undefined ? [] : [{ value, label: typeof title === 'string' ? title : written(value) }],
      );
  }
  const { enum: values, enumNames } = schema;
  if (!Array.isArray(values)) return [];
  const names = Array.isArray(enumNames) ? enumNames : [];
  return values.map((value, at) => {
    const name = names[at];
    return { value, label: typeof name === 'string' ? name : written(value) };
  });
}

/** By its value, its label or its number, in this order. */
function chosen(text: string, options: readonly Option[]): Json | undefined {
  const wanted = text.toLowerCase();
  const found =
    options.find(({ value }) => written(value) === text) ??
    options.find(({ label }) => label.toLowerCase() === wanted) ??
    (/^[1-9]\d*$/.test(text) ? options[Number(text) - 1] : undefined);
  return found?.value;
}

function plain(text: string, schema: JsonObject): Json {
  if (schema['type'] !== 'boolean') return typedValue(text, schema, schema);
  if (/^(y|yes|true)$/i.test(text)) return true;
  return /^(n|no|false)$/i.test(text) ? false : text;
}

/** The default, by its label where it is one of several. */
function initialOf(value: Json | undefined, options: readonly Option[]): string {
  if (Array.isArray(value)) return value.map((each) => initialOf(each, options)).join(', ');
  const text = written(value);
  return options.find((option) => written(option.value) === text)?.label ?? text;
}

function written(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(written).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shown(text: string): string {
  return printable(text, MAX_TEXT);
}
