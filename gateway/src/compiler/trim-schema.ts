import type { Json, JsonObject } from '../operations/index.ts';
import { trimText } from './descriptions.ts';

/** Keywords whose values are data, not schemas. */
export const INSTANCE_DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default']);

export type SchemaTrimmer = <T extends Json>(schema: T) => T;

/**
 * Shortens every `description` text to a budget; 0 takes them away. Sub-schemas that tools share are worked on
 * once, and what has nothing to shorten comes back as the same object.
 * @param dropped other keywords whose texts go
 */
export function createSchemaTrimmer(budget: number, dropped: ReadonlySet<string> = new Set()): SchemaTrimmer {
  const memo = new Map<object, Json>();
  const trim = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value;
    const known = memo.get(value);
    if (known !== undefined) return known;
    return Array.isArray(value) ? trimItems(value) : trimMembers(value);
  };
  const trimItems = (items: Json[]): Json[] => {
    let copy: Json[] | undefined;
    for (let index = 0; index < items.length; index++) {
      const item = items[index]!;
      const shaped = trim(item);
      if (shaped === item) continue;
      copy ??= [...items];
      copy[index] = shaped;
    }
    return copy ?? items;
  };
  const trimMembers = (schema: JsonObject): JsonObject => {
    let copy: JsonObject | undefined;
    let isNested = false;
    for (const key in schema) {
      const member = schema[key]!;
      isNested ||= typeof member === 'object';
      const shaped = shapedMember(key, member);
      if (shaped === member) continue;
      copy ??= { ...schema };
      if (shaped === undefined) delete copy[key];
      else copy[key] = shaped;
    }
    // what holds no other is gone through again sooner than it is remembered
    if (isNested) memo.set(schema, copy ?? schema);
    return copy ?? schema;
  };
  const shapedMember = (key: string, member: Json): Json | undefined => {
    if (typeof member === 'string') {
      if (key !== 'description') return dropped.has(key) ? undefined : member;
      return budget === 0 ? undefined : trimText(member, budget);
    }
    return INSTANCE_DATA.has(key) ? member : trim(member);
  };
  return trim as SchemaTrimmer;
}
