import { isObject, type Json, type JsonObject, listOf, objectOf, textOf } from './json.ts';
import {
  allowedValues,
  internalDefault,
  isBytes,
  type SwaggerDocument,
  schemaView,
  typeOf,
} from './swagger.ts';

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SEPARATORS: Readonly<Record<string, string>> = {
  csv: ',',
  ssv: ' ',
  tsv: '\t',
  pipes: '|',
  multi: ',',
};

/** The separator of a list in a text, by `collectionFormat`. */
export const separatorOf = (node: JsonObject): string => SEPARATORS[textOf(node.collectionFormat)] ?? ',';

/** What is wrong with a parameter that is written as text. */
export function textProblems(node: JsonObject, text: string, at: string): string[] {
  if (typeOf(node) === 'array') {
    const items = objectOf(node.items);
    return text.split(separatorOf(node)).flatMap((item) => textProblems(items, item, at));
  }
  const allowed = allowedValues(node);
  if (allowed !== undefined && !allowed.some((value) => String(value) === text))
    return [`${at}: "${text}" is none of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`];
  return fitsText(typeOf(node), textOf(node.format), text)
    ? []
    : [`${at}: "${text}" is no ${describe(node)}`];
}

function fitsText(type: string, format: string, text: string): boolean {
  if (type === 'integer') return /^-?\d+$/.test(text);
  if (type === 'number') return NUMBER.test(text);
  if (type === 'boolean') return text === 'true' || text === 'false';
  return format !== 'date-time' || !Number.isNaN(Date.parse(text));
}

const describe = ({ type, format }: JsonObject): string =>
  format === undefined ? textOf(type) : `${textOf(type)} of the format ${textOf(format)}`;

/** What is wrong with a value in a JSON body; `at` is where it stands, member names joined by `/`. */
export function valueProblems(
  document: SwaggerDocument,
  schema: unknown,
  value: Json | undefined,
  at: string,
): string[] {
  const view = schemaView(document, schema);
  if (value === undefined) return [];
  if (value === null)
    return view['x-nullable'] === true || typeOf(view) === '' ? [] : [`${at}: null is not allowed`];
  const allowed = allowedValues(view);
  if (
    allowed !== undefined &&
    typeOf(view) !== 'array' &&
    !allowed.some((one) => String(one) === String(value))
  )
    return [`${at}: ${JSON.stringify(value)} is none of ${JSON.stringify(allowed)}`];
  const type = typeOf(view);
  if (type === 'object') return objectProblems(document, view, value, at);
  if (type === 'array') {
    if (!Array.isArray(value)) return [`${at}: a list is expected, not ${JSON.stringify(value)}`];
    return listOf(value).flatMap((item, index) =>
      valueProblems(document, view.items, item, `${at}/${index}`),
    );
  }
  return scalarProblems(view, type, value, at);
}

function scalarProblems(view: JsonObject, type: string, value: Json, at: string): string[] {
  const wrong = [`${at}: ${JSON.stringify(value)} is no ${describe(view)}`];
  if (type === 'integer') return Number.isInteger(value) ? [] : wrong;
  if (type === 'number' || type === 'boolean') return typeof value === type ? [] : wrong;
  if (type !== 'string') return [];
  if (isBytes(view) && isObject(value)) return bytesProblems(value, at);
  if (typeof value !== 'string') return wrong;
  if ((isBytes(view) || view.format === 'byte') && !BASE64.test(value)) return [`${at}: no base64`];
  return fitsText(type, textOf(view.format), value) ? [] : wrong;
}

function objectProblems(document: SwaggerDocument, view: JsonObject, value: Json, at: string): string[] {
  if (!isObject(value)) return [`${at}: an object is expected, not ${JSON.stringify(value)}`];
  const properties = objectOf(view.properties);
  const problems: string[] = [];
  for (const name of listOf(view.required).map(String)) {
    const readOnly = schemaView(document, properties[name]).readOnly === true;
    if (value[name] === undefined && !readOnly) problems.push(`${at}/${name}: required`);
  }
  for (const [name, property] of Object.entries(properties)) {
    const constant = internalDefault(schemaView(document, property));
    if (constant !== undefined && JSON.stringify(value[name]) !== JSON.stringify(constant))
      problems.push(`${at}/${name}: internal, must be its default ${JSON.stringify(constant)}`);
    problems.push(...valueProblems(document, property, value[name], `${at}/${name}`));
  }
  if (view.additionalProperties === false)
    for (const name of Object.keys(value))
      if (!Object.hasOwn(properties, name)) problems.push(`${at}/${name}: unknown`);
  return problems;
}

/** What is wrong with bytes in their envelope `{"$content-type","$content"}`. */
export function bytesProblems(value: Json | undefined, at: string): string[] {
  if (!isObject(value)) return [`${at}: bytes go as {"$content-type","$content"}`];
  const content = value.$content;
  return [
    ...(typeof value['$content-type'] === 'string' ? [] : [`${at}: no $content-type`]),
    ...(typeof content === 'string' && BASE64.test(content) ? [] : [`${at}: $content is no base64`]),
  ];
}
