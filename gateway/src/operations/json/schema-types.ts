/** What `type` of a JSON Schema may name (JSON Schema 2020-12 validation §6.1.1). */
export const SCHEMA_TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);
