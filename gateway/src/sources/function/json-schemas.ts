import { z } from 'zod';
import { lintSchema } from '../../compiler/lint-schema.ts';
import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type JsonSchema } from '../../operations/index.ts';

const OLDER_DRAFT = /^https?:\/\/json-schema\.org\/draft(?:-0[3467]|\/2019-09)\/schema#?$/;

/** What a tool without declared input takes. */
const NO_ARGUMENTS: JsonSchema = Object.freeze({
  type: 'object',
  properties: {},
  additionalProperties: false,
});

/** The input schema of a function: `type: object` at the root. Throws `source_invalid`. */
export function inputSchemaOf(input: z.ZodType | JsonSchema | undefined, place: string): JsonSchema {
  if (input === undefined) return NO_ARGUMENTS;
  const schema = isZodType(input) ? toJsonSchema(input, 'input', place) : modern(input);
  if (schema['type'] === 'object') return schema;
  throw new ToolcribError('source_invalid', `The input of ${place} must be a schema with type object.`);
}

/** The output schema of a function. Results whose root is no object are published under `result`. */
export function outputSchemaOf(
  output: z.ZodType | JsonSchema | undefined,
  place: string,
): JsonSchema | undefined {
  if (output === undefined) return undefined;
  const schema = isZodType(output) ? toJsonSchema(output, 'output', place) : modern(output);
  return hasObjectRoot(schema) ? schema : wrapped(schema);
}

/** True when a declared output is published under `result`. */
export function wrapsOutput(output: z.ZodType | JsonSchema | undefined): boolean {
  if (output === undefined) return false;
  return !hasObjectRoot(isZodType(output) ? toJsonSchema(output, 'output', '') : output);
}

export function isZodType(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType || (isObject(value) && '_zod' in value);
}

/** A schema that says it is of an older draft, in the words of 2020-12: what models are given is read as that. */
function modern(schema: JsonSchema): JsonSchema {
  const { $schema, ...rest } = schema;
  if (typeof $schema !== 'string' || !OLDER_DRAFT.test($schema)) return schema;
  const { schema: linted } = lintSchema(rest, { supportsPattern: () => true });
  return isObject(linted) ? linted : schema;
}

function hasObjectRoot(schema: JsonSchema): boolean {
  return schema['type'] === 'object';
}

/** Definitions stay at the root, where `#/$defs/…` finds them. */
function wrapped(schema: JsonSchema): JsonSchema {
  const { $defs, $schema, ...result } = schema;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: { result },
    required: ['result'],
    ...($defs === undefined ? {} : { $defs }),
  };
}

function toJsonSchema(type: z.ZodType, io: 'input' | 'output', place: string): JsonSchema {
  try {
    const {
      $schema: _dialect,
      '~standard': _standard,
      ...schema
    } = z.toJSONSchema(type, {
      io,
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => dropSafeIntegerBounds(jsonSchema as JsonSchema),
    }) as JsonSchema;
    return JSON.parse(JSON.stringify(schema)) as Json as JsonSchema;
  } catch (error) {
    throw new ToolcribError(
      'source_invalid',
      `The ${io} of ${place} cannot be said in JSON Schema: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

/** Zod states for every integer that a double can hold it; nobody needs to read that. */
export function dropSafeIntegerBounds(schema: JsonSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}
