import { isObject, type Json, type JsonObject, type JsonSchema } from '../../../operations/index.ts';
import { plainText } from '../texts.ts';
import { valueTitles } from '../value-titles.ts';

/** The value of a keyword that holds text; undefined where nothing is left of it. */
export function textOf(key: string, value: string): string | undefined {
  const text = key === 'description' || key === 'title' ? plainText(value) : value;
  return text === '' ? undefined : text;
}

/** Bytes are given as base64, whatever the document calls them. */
export function describeBinary(out: JsonObject, node: JsonObject): void {
  out.type = Array.isArray(node.type) && node.type.includes('null') ? ['string', 'null'] : 'string';
  out.contentEncoding = 'base64';
  delete out.format;
  // a name such as Elysia's `File`, not content
  delete out.default;
  out.description = base64Text(out.description);
}

/** `format: byte` is base64 (OpenAPI 3.0 §4.4), which few know: plain text is often valid base64, and stored wrong. */
export function describeByte(out: JsonObject): void {
  out.description = encodedText(out.description);
}

/** What the document says of single values, where the keyword `enum` cannot: of `[0, 1, 2]` a model knows nothing. */
export function describeValues(out: JsonObject, node: JsonObject): void {
  const titles = Array.isArray(out.enum) ? valueTitles(node) : '';
  if (titles !== '') out.description = withTitles(String(out.description ?? out.title ?? ''), titles);
}

/** A dialect may have said them already. */
function withTitles(text: string, titles: string): string {
  return text.includes(titles) ? text : `${text.trimEnd()} ${titles}`.trim();
}

function encodedText(text: Json | undefined): string {
  if (typeof text !== 'string') return 'base64';
  return /base-?64/i.test(text) ? text : `${text.trimEnd()} (base64)`;
}

/** For a part that goes out as a file, or leads to some: the text of one may carry its name and type. */
export function describeFile(schema: JsonSchema): JsonSchema {
  const text = typeof schema.description === 'string' ? schema.description : 'Files';
  return { ...schema, description: `${text}; named: data:TYPE;name=FILENAME;base64,…` };
}

/** For a body whose type its document leaves open: the caller may say it. */
export function describeOpenType(schema: JsonSchema): JsonSchema {
  return { ...schema, description: `${schema.description}; with its type: data:TYPE;base64,…` };
}

/** For a part that is a text or a file, or that has no type: what is no data URL is the value itself, base64 or not. */
export function describeFileOrText(schema: JsonSchema): JsonSchema {
  const isText = schema.type === 'string' || schema.anyOf !== undefined || schema.oneOf !== undefined;
  const value = isText || schema.$ref !== undefined ? 'Text' : 'Any value';
  const text = typeof schema.description === 'string' ? `${schema.description.trimEnd()} ${value}` : value;
  return { ...schema, description: `${text}, or a file as data:TYPE;name=FILENAME;base64,…` };
}

/** A document that the caller writes: what is in it, as far as that is said. */
export function describeXml(schema: JsonSchema, outline: string | undefined): JsonSchema {
  const described = { ...schema };
  describeAlso(described, `XML document as text${outline === undefined ? '' : `: ${outline}`}`);
  return described;
}

/** Puts a sentence behind what is said already; '' changes nothing. */
export function describeAlso(out: JsonObject, sentence: string): void {
  if (sentence === '') return;
  const given = out.description ?? out.title;
  const text = typeof given === 'string' ? given.trimEnd() : '';
  const said = /[^.!?:]$/.test(text) ? `${text}.` : text;
  out.description = `${said} ${sentence}`.trim();
}

function base64Text(text: Json | undefined): string {
  return typeof text === 'string' ? `${text.trimEnd()} (file content, base64)` : 'File content, base64';
}

/** What express-zod-api writes where its author wrote nothing: `GET /users Parameter`. */
const SAYS_NOTHING = /^[A-Z]+ \/\S* (?:Parameter|Request body)$/;

/**
 * A schema with the text of its place in an operation, which says more than the schema's own.
 * @param declared the schema as the document has it
 */
export function withDescription(schema: Json, description: unknown, declared?: unknown): JsonSchema {
  const object: JsonSchema = isObject(schema) ? schema : schema === false ? { not: {} } : {};
  const text = plainText(description);
  if (text === '' || SAYS_NOTHING.test(text)) return object;
  if (object.contentEncoding === 'base64') return { ...object, description: base64Text(text) };
  if (object.format === 'byte') return { ...object, description: encodedText(text) };
  const titles = Array.isArray(object.enum) && isObject(declared) ? valueTitles(declared) : '';
  return { ...object, description: withTitles(text, titles) };
}
