import { isObject, type Json } from '../../operations/index.ts';
import { isIndex, parseFieldPath } from './field-path.ts';

interface Wanted {
  /** As the caller spelled it. */
  readonly name: string;
  readonly rest: readonly string[];
}

export interface Projected {
  readonly rows: readonly Json[];
  /** Fields that no row has. */
  readonly unknown: readonly string[];
}

const EVERYTHING = '*';
const MAX_DEPTH = 64;

/**
 * Only these fields of every row, by dotted paths; what is kept stands where it stood. A row without any of them
 * becomes `{}`, a row that is no object stays.
 */
export function project(rows: readonly Json[], fields: readonly string[]): Projected {
  if (fields.includes(EVERYTHING)) return { rows, unknown: [] };
  const wanted = fields.map((name) => ({ name, rest: parseFieldPath(name) ?? [name] }));
  const missing = new Set(fields);
  const projected = rows.map((row) => {
    if (row === null || typeof row !== 'object') return row;
    return pick(row, wanted, missing, 0) ?? {};
  });
  return { rows: projected, unknown: rows.length === 0 ? [] : [...missing] };
}

/** Undefined where nothing of it is wanted. */
function pick(value: Json, wanted: readonly Wanted[], missing: Set<string>, depth: number): Json | undefined {
  const whole = wanted.filter(({ rest }) => rest.length === 0);
  for (const { name } of whole) missing.delete(name);
  if (whole.length > 0) return value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return pickItems(value, wanted, missing, depth);
  return isObject(value) ? pickMembers(value, wanted, missing, depth) : undefined;
}

function pickItems(
  items: Json[],
  wanted: readonly Wanted[],
  missing: Set<string>,
  depth: number,
): Json | undefined {
  const byIndex = wanted.some(({ rest: [head] }) => isIndex(head!));
  const kept: Json[] = [];
  let found = items.length === 0;
  for (const [index, item] of items.entries()) {
    const here = wanted.flatMap(({ name, rest }): Wanted[] => {
      const [head, ...tail] = rest;
      if (head === '[]') return [{ name, rest: tail }];
      if (!isIndex(head!)) return [{ name, rest }];
      return Number(head) === index ? [{ name, rest: tail }] : [];
    });
    const picked = here.length === 0 ? undefined : pick(item, here, missing, depth + 1);
    found ||= picked !== undefined;
    if (picked !== undefined) kept.push(picked);
    else if (!byIndex && isObject(item)) kept.push({});
  }
  return found ? kept : undefined;
}

function pickMembers(
  row: { [key: string]: Json },
  wanted: readonly Wanted[],
  missing: Set<string>,
  depth: number,
): Json | undefined {
  const byMember = new Map<string, Wanted[]>();
  for (const { name, rest } of wanted) {
    for (let end = 1; end <= rest.length; end++) {
      const member = rest.slice(0, end).join('.');
      if (!Object.hasOwn(row, member)) continue;
      const known = byMember.get(member);
      const inner = { name, rest: rest.slice(end) };
      if (known === undefined) byMember.set(member, [inner]);
      else known.push(inner);
    }
  }
  const kept: [string, Json][] = [];
  for (const [member, inner] of byMember) {
    const picked = pick(row[member]!, inner, missing, depth + 1);
    if (picked !== undefined) kept.push([member, picked]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
