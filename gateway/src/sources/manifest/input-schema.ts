import type { Json, JsonObject, JsonSchema } from '../../operations/index.ts';
import type { ParameterDef } from './manifest.ts';
import type { OperationPart } from './parameters.ts';

/** Keywords that JSON Schema and manifests spell alike. */
const ALIKE = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'enum',
  'default',
  'examples',
] as const;

/** A file in a multipart body, as the executor takes it. */
const FILE: JsonSchema = {
  anyOf: [
    { type: 'string', description: 'The bytes as base64.' },
    {
      type: 'object',
      properties: {
        data: { type: 'string', description: 'The bytes as base64.' },
        filename: { type: 'string' },
        contentType: { type: 'string', description: 'Media type, e.g. application/pdf.' },
      },
      required: ['data'],
      additionalProperties: false,
    },
  ],
};

/** One flat object of arguments; nothing else is accepted. */
export function inputSchemaOf(parts: readonly OperationPart[]): JsonSchema {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const { argument, definition, place } of parts) {
    properties[argument] = schemaOf(definition);
    if (definition.required === true || place === 'path') required.push(argument);
  }
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

export function schemaOf(definition: ParameterDef): JsonSchema {
  const { type, description, nullable, deprecated, items, properties, additionalProperties } = definition;
  const schema: JsonSchema = type === 'file' ? { ...FILE } : {};
  if (type !== undefined && type !== 'file') schema['type'] = nullable ? [type, 'null'] : type;
  if (description !== undefined) schema['description'] = description;
  for (const keyword of ALIKE) {
    const value = definition[keyword];
    if (value !== undefined) schema[keyword] = value as Json;
  }
  if (nullable && Array.isArray(schema['enum'])) schema['enum'] = [...schema['enum'], null];
  if (deprecated) schema['deprecated'] = true;
  if (type === 'array') schema['items'] = items === undefined ? {} : schemaOf(items);
  if (properties !== undefined) {
    schema['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, schemaOf(member)]),
    );
    const required = Object.keys(properties).filter((name) => properties[name]!.required === true);
    if (required.length > 0) schema['required'] = required;
    schema['additionalProperties'] = additionalProperties ?? false;
  } else if (additionalProperties !== undefined) schema['additionalProperties'] = additionalProperties;
  return schema;
}
