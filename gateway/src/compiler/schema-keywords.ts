import { isObject, type Json, type JsonObject } from '../operations/index.ts';
import { SCHEMA_TYPES } from '../operations/json/schema-types.ts';

/** What the value of a keyword is; decides how it is walked, checked and dropped. */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'pattern-map'
  | 'dependencies'
  | 'text'
  | 'boolean'
  | 'count'
  | 'number'
  | 'limit'
  | 'divisor'
  | 'names'
  | 'names-map'
  | 'types'
  | 'values'
  | 'pattern'
  | 'reference'
  | 'anchor'
  | 'annotation'
  | 'refused';

const KINDS: Readonly<Record<KeywordKind, readonly string[]>> = {
  schema: [
    'additionalItems',
    'additionalProperties',
    'contains',
    'contentSchema',
    'else',
    'if',
    'items',
    'not',
    'propertyNames',
    'then',
    'unevaluatedItems',
    'unevaluatedProperties',
  ],
  schemas: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  'schema-map': ['$defs', 'definitions', 'dependentSchemas', 'properties'],
  'pattern-map': ['patternProperties'],
  dependencies: ['dependencies'],
  text: ['$comment', 'contentEncoding', 'contentMediaType', 'description', 'format', 'title'],
  boolean: ['deprecated', 'nullable', 'readOnly', 'uniqueItems', 'writeOnly'],
  count: [
    'maxContains',
    'maxItems',
    'maxLength',
    'maxProperties',
    'minContains',
    'minItems',
    'minLength',
    'minProperties',
  ],
  number: ['maximum', 'minimum'],
  limit: ['exclusiveMaximum', 'exclusiveMinimum'],
  divisor: ['multipleOf'],
  names: ['required'],
  'names-map': ['dependentRequired'],
  types: ['type'],
  values: ['const', 'enum'],
  pattern: ['pattern'],
  reference: ['$dynamicRef', '$recursiveRef', '$ref'],
  anchor: ['$anchor', '$dynamicAnchor'],
  annotation: ['default', 'example', 'examples'],
  refused: ['$async', '$id', '$recursiveAnchor', '$vocabulary', 'id'],
};

const KIND_OF: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind as KeywordKind] as const)),
);

/** Keywords applied to the same value as the schema they stand in (JSON Schema 2020-12 core §10.2). */
export const IN_PLACE: readonly string[] = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
];

/** Kind of a keyword; what is unknown is an annotation (JSON Schema 2020-12 core §6.5). */
export function kindOf(keyword: string): KeywordKind {
  return KIND_OF.get(keyword) ?? 'annotation';
}

/** True for the meta-schemas that are read as 2020-12: the JSON Schema drafts and the OpenAPI dialects. */
export function isKnownDialect(uri: unknown): boolean {
  return (
    typeof uri === 'string' &&
    /^https?:\/\/(?:json-schema\.org\/(?:draft[-/][\w-]+\/)?schema|spec\.openapis\.org\/oas\/3\.\d\/(?:dialect|schema)\/[\w./-]+)#?$/.test(
      uri,
    )
  );
}

/** Whether a keyword without schemas inside has a value that the specification gives a meaning to. */
export function hasMeaning(kind: KeywordKind, keyword: string, value: Json): boolean {
  switch (kind) {
    case 'text':
    case 'pattern':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'count':
      return Number.isInteger(value) && (value as number) >= 0;
    case 'number':
      return Number.isFinite(value);
    case 'limit':
      return Number.isFinite(value) || typeof value === 'boolean';
    case 'divisor':
      return Number.isFinite(value) && (value as number) > 0;
    case 'names':
      return isNameList(value);
    case 'names-map':
      return isObject(value) && Object.values(value).every(isNameList);
    case 'types':
      return isNameList(value) ? isTypeList(value) : SCHEMA_TYPES.has(value);
    case 'values':
      return keyword === 'const' ? Number.isFinite(value) || typeof value !== 'number' : isEnum(value);
    default:
      return true;
  }
}

/** Every schema directly inside another, with the keyword it stands under. Follows no references. */
export function* subschemasOf(schema: JsonObject): Generator<readonly [keyword: string, schema: JsonObject]> {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (value === null || typeof value !== 'object') continue;
    const kind = kindOf(keyword);
    if (kind === 'schema' && isObject(value)) yield [keyword, value];
    else if (kind === 'schemas' || kind === 'schema-map' || kind === 'pattern-map')
      for (const member of Object.values(value!)) if (isObject(member)) yield [keyword, member];
  }
}

function isNameList(value: Json): value is string[] {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === 'string') &&
    new Set(value).size === value.length
  );
}

function isTypeList(names: string[]): boolean {
  return names.length > 0 && names.every((name) => SCHEMA_TYPES.has(name));
}

function isEnum(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item !== 'number' || Number.isFinite(item))
  );
}
