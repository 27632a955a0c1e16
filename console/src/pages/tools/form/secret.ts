import type { Schema } from './schema.ts';

/** What is not shown while it is typed, and kept by nothing (JSON Schema, 9.4; OpenAPI, `password`). */
export function isSecret({ writeOnly, format }: Schema): boolean {
  return writeOnly === true || format === 'password';
}
