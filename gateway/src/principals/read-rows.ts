import {
  type AccessLevel,
  type ConnectionCredentials,
  LEVELS,
  readJson,
  type ToolChoice,
} from '../operations/index.ts';

/** How stored text is read: what is broken reads as what grants least, never as an error that hides the row. */

/** Null for anything that is no level. */
export function readLevel(text: unknown): AccessLevel | null {
  return (LEVELS as readonly unknown[]).includes(text) ? (text as AccessLevel) : null;
}

export function readTools(text: unknown): ToolChoice | null {
  return text === 'static' || text === 'dynamic' || text === 'both' ? text : null;
}

/** A JSON array of strings; undefined for anything else. */
export function readNames(text: unknown): readonly string[] | undefined {
  const value = readJson(String(text));
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

/** `none` or an object of references; undefined for anything else. */
export function readCredentials(text: unknown): ConnectionCredentials | undefined {
  const value = readJson(String(text));
  if (value === 'none') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value).length === 0 ? undefined : (value as ConnectionCredentials);
}

export function readKeyAccess(text: unknown): 'read' | 'write' | 'delete' | undefined {
  return text === 'read' || text === 'write' || text === 'delete' ? text : undefined;
}

/** Milliseconds since the epoch, also where a driver gives big integers as text; NaN for what is none. */
export function readTime(value: unknown): number {
  return value === null || value === undefined || value === '' ? Number.NaN : Number(value);
}

/** ISO 8601; the epoch for what cannot be read. */
export function isoTime(value: unknown): string {
  const time = readTime(value);
  return new Date(Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? time : 0).toISOString();
}
