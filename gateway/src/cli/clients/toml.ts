import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../operations/index.ts';

/** Parses TOML, as Codex writes it. Times become text: nothing that is read here is one. */
export async function parseToml(text: string, file: string): Promise<JsonObject> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return plain(parse(text, { integersAsBigInt: 'asNeeded' })) as JsonObject;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ToolcribError('file_conflict', `The file is no valid TOML: ${whatIsWrong(error.message)}.`, {
      location: `${file}:${error.line}:${error.column}`,
    });
  }
}

/** Whether a text that nobody named a format for is TOML: it begins with a comment, a table or a bare key. */
export function looksLikeToml(text: string): boolean {
  return /^\uFEFF?\s*(?:#|\[{0,2}\s*[A-Za-z_][\w.-]*\s*[\].=])/.test(text);
}

/** The first line says it; behind it come lines of the file, and a key may stand there. */
function whatIsWrong(message: string): string {
  const [first = ''] = message.split('\n');
  const what = first.replace(/^Invalid TOML document: /, '').replace(/\.$/, '');
  return /^[a-z][a-z ,:'-]*$/i.test(what) ? what : 'it cannot be read here';
}

function plain(value: unknown): Json {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
