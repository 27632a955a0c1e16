import type { Operation } from '../operations/index.ts';
import { propertySchema, typesOf } from '../operations/invocation/argument-schema.ts';
import { decodeUtf8 } from './decode-text.ts';
import { isJsonLinesType } from './media-type.ts';
import { type ParsedJson, parseJson, parseRecords } from './parse-json.ts';
import { wrapsResult } from './wraps-result.ts';

/** Some services send JSON as bytes, or by a type that nobody knows: where the operation promises JSON, that is what it is. */
export function promisedJson(body: Uint8Array, { output }: Operation): ParsedJson | undefined {
  if (output === undefined || !/^\s*[{[]/.test(Buffer.from(body.subarray(0, 64)).toString('utf8')))
    return undefined;
  const text = decodeUtf8(body);
  return text === undefined ? undefined : parseJson(text);
}

/** Records where the operation promises a list of them (OpenAPI 3.2 "Sequential Media Types"). */
export function promisedRecords(text: string, type: string, operation: Operation): ParsedJson | undefined {
  const isPromised =
    isJsonLinesType(type) && wrapsResult(operation) && promisedTypes(operation).includes('array');
  return isPromised && operation.output !== undefined ? parseRecords(text) : undefined;
}

/** Where a string is promised a text is that string, not the number or list that it reads as: `1.10` is a version. */
export function looksLikeJson(text: string, operation: Operation): boolean {
  const first = /^\s*([{["\d\-tfn])/.exec(text)?.[1];
  if (first === undefined || first === '"') return first !== undefined;
  const types = promisedTypes(operation);
  const isStructure = first === '{' || first === '[';
  if (types.includes('string')) return isStructure && types.some((type) => STRUCTURES.has(type));
  return isStructure || types.length === 0 || !types.every((type) => STRUCTURES.has(type));
}

const STRUCTURES: ReadonlySet<string> = new Set(['object', 'array']);

/** What the answer itself may be; a structure where nothing is promised. Empty: the schema does not say. */
export function promisedTypes(operation: Operation): readonly string[] {
  const { output } = operation;
  if (output === undefined || !wrapsResult(operation)) return [...STRUCTURES];
  return typesOf(propertySchema(output, 'result') ?? {}, output);
}
