import { isObject, type Json, type JsonObject, parsePointer } from '../../operations/index.ts';
import type { FieldSource, RecordMapping } from './category.ts';

/** A provider's record in the category's words; fields that are not there are left out. */
export function readRecord(record: Json, { fields }: RecordMapping, provider: string): JsonObject {
  const read: Record<string, Json> = { provider };
  for (const [name, source] of Object.entries(fields)) {
    const value = readField(record, source);
    if (value !== undefined) read[name] = name === 'id' ? String(value) : value;
  }
  return read;
}

/** The first of several places that holds something. */
export function readField(record: Json, source: FieldSource): Json | undefined {
  for (const one of typeof source === 'string' ? [source] : source) {
    const value = readOne(record, one);
    if (!isEmpty(value)) return value;
  }
  return undefined;
}

/** A place in an answer: the first pointer that leads anywhere; without any the whole answer. */
export function locate(answer: Json, at: FieldSource | undefined): Json | undefined {
  if (at === undefined) return answer;
  for (const pointer of typeof at === 'string' ? [at] : at) {
    const found = follow(answer, pointer);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

function readOne(record: Json, source: string): Json | undefined {
  if (source.includes('{')) {
    const joined = source
      .replace(/\{([^{}]+)\}/g, (_match, pointer: string) => text(follow(record, pointer)))
      .replace(/\s+/g, ' ');
    return joined.trim();
  }
  const [pointer, reading] = source.split('|');
  const value = follow(record, pointer!);
  if (reading === 'ms') return typeof value === 'number' ? new Date(value).toISOString() : undefined;
  return value;
}

/** JSON Pointer (RFC 6901), where `*` stands for every item of a list. */
function follow(value: Json, pointer: string): Json | undefined {
  return walk(value, parsePointer(pointer) ?? []);
}

function walk(value: Json, tokens: readonly string[]): Json | undefined {
  let current: Json | undefined = value;
  for (const [index, token] of tokens.entries()) {
    if (token === '*') {
      if (!Array.isArray(current)) return undefined;
      const rest = tokens.slice(index + 1);
      return current.map((item) => walk(item, rest)).filter((item) => !isEmpty(item)) as Json[];
    }
    if (Array.isArray(current)) current = current[Number(token)];
    else if (isObject(current) && Object.hasOwn(current, token)) current = current[token];
    else return undefined;
  }
  return current;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isEmpty(value: Json | undefined): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
