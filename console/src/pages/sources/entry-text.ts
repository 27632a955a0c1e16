import type { JsonObject } from '../../../../gateway/src/operations/index.ts';

/** The entry that a text holds, or what is wrong with it. */
export function entryFrom(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
    return 'The entry is an object.';
  } catch (error) {
    return `The entry is no JSON: ${(error as Error).message}`;
  }
}
