/**
 * A string, number or boolean of somebody else's as text; undefined for anything else. `String()` says
 * `[object Object]` of a structure, and throws where one has a member called `toString`.
 */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
