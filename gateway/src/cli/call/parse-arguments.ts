import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ToolcribError } from '../../errors.ts';
import { fileTypeOf } from '../../operations/http/file-type.ts';
import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import {
  alternativesOf,
  dereferenced,
  propertySchema,
  typesOf,
} from '../../operations/invocation/argument-schema.ts';
import { isRounded, roundedNumber, roundedWords } from '../../operations/text/rounded-number.ts';
import { unreadable } from '../../operations/text/unreadable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { FileArguments } from './file-arguments.ts';

/**
 * The arguments of `toolcrib call`: one JSON object, `-` for one on standard input, or words `key=value`
 * (typed by the tool's schema), `key:=JSON` and `key@FILE`. A repeated key makes a list.
 * @param files arguments whose files are sent with their names or types
 */
export async function parseArguments(
  words: readonly string[],
  input: JsonObject,
  terminal: Terminal,
  files: FileArguments = new Map(),
): Promise<JsonObject> {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && first === '-') return objectOf(await terminal.readInput(), 'Standard input');
  if (words.length === 1 && first.trimStart().startsWith('{')) return objectOf(first, 'The argument');
  const given: Array<readonly [string, Json]> = [];
  for (const word of words) given.push(await parseWord(word, input, terminal, files));
  return gathered(given, input);
}

async function parseWord(
  word: string,
  input: JsonObject,
  terminal: Terminal,
  files: FileArguments,
): Promise<readonly [string, Json]> {
  const [, key, sign, text] = /^([^=:@]+)(:=|=|@)(.*)$/s.exec(word) ?? [];
  if (key === undefined || text === undefined) {
    throw new ToolcribError('usage', `"${word}" is no argument: write key=value, key:=JSON or key@FILE.`);
  }
  if (sign === ':=') return [key, jsonOf(text, `The value of ${key}`)];
  const schema = propertySchema(input, key) ?? {};
  if (sign === '@') {
    const bytes = await readFileOf(text, terminal);
    const said = files.get(key);
    if (said === 'name') {
      const named = namedFile(text, bytes);
      return [key, takesOnlyLists(schema, input) ? [named] : named];
    }
    if (said === 'type') return [key, typedFile(text, bytes)];
    if (schema['contentEncoding'] === 'base64') return [key, bytes.toString('base64')];
    if (isUtf8(bytes)) return [key, bytes.toString('utf8')];
    throw new ToolcribError(
      'arguments_invalid',
      `The argument ${key} is text, and ${text} holds other bytes.`,
    );
  }
  return [key, typedValue(text, schema, input)];
}

/** Text as the schema wants it; what does not fit stays text, so that validation can say what is wrong. */
export function typedValue(text: string, schema: JsonObject, root: JsonObject): Json {
  const types = typesOfText(text, schema, root);
  if (types.length === 0) return looseValue(text);
  if (types.includes('string')) return text;
  if (types.includes('null') && text === 'null') return null;
  const object = types.includes('object') ? parsed(text, isObject) : undefined;
  if (object !== undefined) return object;
  if (types.includes('array')) return listValue(text, schema, root);
  if (types.includes('object')) return text;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) {
    if (isRounded(Number(text), text)) throw rounded(text);
    return Number(text);
  }
  return text;
}

/** Without `string` where text may only be certain words, this is none of them, and other types would do. */
function typesOfText(text: string, schema: JsonObject, root: JsonObject): readonly string[] {
  const types = typesOf(schema, root);
  return types.length < 2 || admitsText(text, schema, root)
    ? types
    : types.filter((type) => type !== 'string');
}

function admitsText(text: string, schema: JsonObject, root: JsonObject): boolean {
  const alternatives = alternativesOf(schema, root);
  if (schema['type'] === undefined && alternatives.length > 0) {
    return alternatives.some((one) => admitsText(text, one, root));
  }
  const words = 'const' in schema ? [schema['const']] : schema['enum'];
  return typesOf(schema, root).includes('string') && (!Array.isArray(words) || words.includes(text));
}

function takesOnlyLists(schema: JsonObject, root: JsonObject): boolean {
  const types = typesOf(schema, root);
  return types.includes('array') && !types.includes('string');
}

/** `a,b` or a JSON list. */
function listValue(text: string, schema: JsonObject, root: JsonObject): Json {
  const list = parsed(text, Array.isArray);
  if (list !== undefined) return list;
  const items = itemsOf(schema, root) ?? {};
  if (typesOf(items, root).includes('object')) return [parsed(text, isObject) ?? text];
  return text === '' ? [] : text.split(',').map((item) => typedValue(item.trim(), items, root));
}

/** Of a list, or of the first one among alternatives. */
function itemsOf(schema: JsonObject, root: JsonObject): JsonObject | undefined {
  if (isObject(schema['items'])) return dereferenced(root, schema['items']);
  for (const one of alternativesOf(schema, root)) {
    const items = itemsOf(one, root);
    if (items !== undefined) return items;
  }
  return undefined;
}

function looseValue(text: string): Json {
  return /^[[{]/.test(text) ? (parsed(text, () => true) ?? text) : text;
}

function parsed(text: string, fits: (value: unknown) => boolean): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    if (!fits(value)) return undefined;
    checkExact(text);
    return value;
  } catch (error) {
    if (error instanceof ToolcribError) throw error;
    return undefined;
  }
}

/** A file with its name, as a data URL (RFC 2397). */
function namedFile(path: string, bytes: Buffer): string {
  return `data:;name=${encodeURIComponent(basename(path).toWellFormed())};base64,${bytes.toString('base64')}`;
}

/** A file with the type that its name says, where it says one. */
function typedFile(path: string, bytes: Buffer): string {
  const type = fileTypeOf(basename(path));
  const base64 = bytes.toString('base64');
  return type === undefined ? base64 : `data:${type};base64,${base64}`;
}

async function readFileOf(path: string, { cwd }: Terminal): Promise<Buffer> {
  const file = resolve(cwd, path);
  try {
    return await readFile(file);
  } catch (error) {
    throw new ToolcribError(
      'source_unreadable',
      `The file of an argument cannot be read: ${unreadable(error)}.`,
      {
        location: file,
        cause: error,
      },
    );
  }
}

function gathered(given: ReadonlyArray<readonly [string, Json]>, input: JsonObject): JsonObject {
  const result = new Map<string, Json>();
  for (const [key, value] of given) {
    const before = result.get(key);
    if (before === undefined) result.set(key, value);
    else if (typesOf(propertySchema(input, key) ?? {}, input).includes('array')) {
      result.set(key, [before, value].flat());
    } else throw new ToolcribError('usage', `The argument ${key} is given twice and is no list.`);
  }
  return Object.fromEntries(result);
}

function objectOf(text: string, what: string): JsonObject {
  const value = jsonOf(text, what);
  if (isObject(value)) return value;
  throw new ToolcribError('arguments_invalid', `${what} must be a JSON object.`);
}

function jsonOf(text: string, what: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    checkExact(text);
    return value;
  } catch (error) {
    if (error instanceof ToolcribError) throw error;
    throw new ToolcribError('arguments_invalid', `${what} is no JSON: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function checkExact(text: string): void {
  const digits = roundedNumber(text);
  if (digits !== undefined) throw rounded(digits);
}

function rounded(digits: string): ToolcribError {
  return new ToolcribError('arguments_invalid', roundedWords(digits));
}
