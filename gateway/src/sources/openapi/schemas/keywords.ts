/** How the value of a keyword that holds no schema is taken over. */
export type PlainKind =
  | 'text'
  | 'flag'
  | 'value'
  | 'number'
  | 'limit'
  | 'count'
  | 'pattern'
  | 'type'
  | 'enum'
  | 'names';

/** How the value of a JSON Schema keyword is taken over. What is not listed is left out. */
export type KeywordKind =
  | PlainKind
  | 'required'
  | 'properties'
  | 'schemas'
  | 'schema'
  | 'in-place'
  | 'in-place-list'
  | 'items';

/**
 * JSON Schema 2020-12 keywords and what becomes of them. `in-place` ones apply to the same value as the schema they
 * stand in: a chain of them that comes back to itself never ends. `limit` is a flag in draft 4 and a number since.
 */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ['title', 'text'],
  ['description', 'text'],
  ['format', 'text'],
  ['contentEncoding', 'text'],
  ['contentMediaType', 'text'],
  ['contentSchema', 'schema'],
  ['deprecated', 'flag'],
  ['writeOnly', 'flag'],
  ['uniqueItems', 'flag'],
  ['default', 'value'],
  ['const', 'value'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['multipleOf', 'number'],
  ['exclusiveMinimum', 'limit'],
  ['exclusiveMaximum', 'limit'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['minContains', 'count'],
  ['maxContains', 'count'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['pattern', 'pattern'],
  ['type', 'type'],
  ['enum', 'enum'],
  ['required', 'required'],
  ['properties', 'properties'],
  ['patternProperties', 'schemas'],
  ['dependentSchemas', 'schemas'],
  ['dependentRequired', 'names'],
  ['additionalProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['contains', 'schema'],
  ['items', 'items'],
  ['prefixItems', 'items'],
  ['not', 'in-place'],
  ['if', 'in-place'],
  ['then', 'in-place'],
  ['else', 'in-place'],
  ['allOf', 'in-place-list'],
  ['anyOf', 'in-place-list'],
  ['oneOf', 'in-place-list'],
]);

/** Keywords beside which `null` cannot simply be added to `type`. */
export const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const', 'if'] as const;

/** Keywords that say nothing about validity. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'writeOnly',
]);
