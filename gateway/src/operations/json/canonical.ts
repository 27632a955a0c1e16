import { createHash } from 'node:crypto';
import type { Json } from './json.ts';

/**
 * RFC 8785 canonical JSON: keys sorted by UTF-16 code units, no white space.
 * `undefined` members are left out; other non-JSON values throw a TypeError.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`canonical JSON has no ${value}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object') {
    const object = value as Record<string, unknown>;
    const members: string[] = [];
    for (const key of Object.keys(object).sort()) {
      const member = object[key];
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
    }
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`canonical JSON has no ${typeof value}`);
}

/** `sha256:` and 64 hex digits over the canonical JSON of a value. */
export function canonicalHash(value: Json | object): string {
  return hashBytes(canonicalJson(value));
}

/** `sha256:` and 64 hex digits over raw bytes or UTF-8 text. */
export function hashBytes(bytes: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
