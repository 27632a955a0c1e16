import type { Json } from './json.ts';

/** The value of a JSON text; undefined where the text is no JSON. */
export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
