import type { Json, JsonObject } from '../operations/index.ts';
import { trimText } from './descriptions.ts';

/** Keywords whose values are data, not schemas. */
const INSTANCE_DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default']);

export type SchemaTrimmer = <T extends Json>(schema: T) => T;

/**
 * Shortens every `description` text to a budget; 0 takes them away. Sub-schemas that tools share are worked on
 * once, and what has nothing to shorten comes back as the same object.
 */
export function createSchemaTrimmer(budget: number): SchemaTrimmer {
  const memo = new WeakMap<object, Json>();
  const trim = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value;
    const known = memo.get(value);
    if (known !== undefined) return known;
    const result = Array.isArray(value) ? trimItems(value) : trimMembers(value);
    memo.set(value, result);
    return result;
  };
  const trimItems = (items: Json[]): Json[] => {
    const shaped = items.map(trim);
    return shaped.some((item, index) => item !== items[index]) ? shaped : items;
  };
  const trimMembers = (schema: JsonObject): JsonObject => {
    let copy: JsonObject | undefined;
    for (const key in schema) {
      const member = schema[key]!;
      const shaped = shapedMember(key, member);
      if (shaped === member) continue;
      copy ??= { ...schema };
      if (shaped === undefined) delete copy[key];
      else copy[key] = shaped;
    }
    return copy ?? schema;
  };
  const shapedMember = (key: string, member: Json): Json | undefined => {
    if (INSTANCE_DATA.has(key)) return member;
    if (key !== 'description' || typeof member !== 'string') return trim(member);
    return budget === 0 ? undefined : trimText(member, budget);
  };
  return trim as SchemaTrimmer;
}
