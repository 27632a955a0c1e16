import { z } from 'zod';
import { isObject, type Json, type JsonSchema } from '../../operations/index.ts';
import { type ArgumentRequest, assignArgumentNames } from '../../operations/invocation/arguments.ts';
import type { ParsedBodyProperty, ParsedOperation, ParsedParameter } from './open-api-parser.ts';

/** Nested schemas beyond this are left open. */
const MAX_DEPTH = 12;

/**
 * A parameter name that every client takes: `$filter` → `_filter`. Foreign characters become one `_`, leading dots
 * and hyphens go, 64 characters at most; `param` where nothing is left.
 */
export function sanitizeKey(name: string): string {
  const safe = name
    .replace(/[^a-zA-Z0-9_.-]/g, '_')
    .replace(/^[.-]+/, '')
    .replace(/_+/g, '_')
    .slice(0, 64);
  return safe || 'param';
}

/**
 * Zod types of an operation's arguments, by argument name: parameters, then the body's properties (`body_` before a
 * name that is taken), or the whole body as `body`. Internal values with a default are not asked for.
 */
export function generateZodSchema(operation: ParsedOperation): Record<string, z.ZodType> {
  const inputs = inputsOf(operation);
  const names = uniqueNames(inputs);
  return Object.fromEntries(inputs.map(({ type }, index) => [names[index]!, type]));
}

interface Input extends ArgumentRequest {
  readonly type: z.ZodType;
}

function inputsOf({ parameters, requestBody }: ParsedOperation): Input[] {
  const asked = parameters.filter(({ name }) => name !== 'connectionId').filter(isAsked);
  const inputs: Input[] = asked.map((one) => ({
    place: one.in === 'formData' ? 'body' : one.in,
    name: one.name,
    type: finished(zodOfSchema(schemaOfParameter(one)), one),
  }));
  if (requestBody === undefined) return inputs;
  const properties = Object.values(requestBody.properties);
  for (const property of properties.filter(isAsked))
    inputs.push({
      place: 'body',
      name: property.name,
      type: finished(zodOfSchema(property.schema), property),
    });
  if (properties.length > 0) return inputs;
  const { required, schema } = requestBody;
  const description = typeof schema.description === 'string' ? schema.description : '';
  inputs.push({
    place: 'body',
    name: 'body',
    type: finished(zodOfSchema(schema), { required, description }),
  });
  return inputs;
}

function isAsked({ visibility, default: assumed, required }: ParsedParameter | ParsedBodyProperty): boolean {
  return visibility !== 'internal' || (assumed === undefined && required);
}

/** `sanitizeKey`, and where two come to the same the rules of our own argument names. */
function uniqueNames(inputs: readonly Input[]): string[] {
  return assignArgumentNames(inputs.map(({ place, name }) => ({ place, name: sanitizeKey(name) })));
}

interface Facts {
  readonly required: boolean;
  readonly description: string;
  readonly default?: Json;
}

function finished(type: z.ZodType, { required, description, default: assumed }: Facts): z.ZodType {
  const filled = assumed !== undefined && type.safeParse(assumed).success ? type.default(assumed) : type;
  const needed = required ? filled : filled.optional();
  return description === '' ? needed : needed.describe(description);
}

function schemaOfParameter({ type, format, enum: values, items }: ParsedParameter): JsonSchema {
  return {
    type,
    ...(format === undefined ? {} : { format }),
    ...(values === undefined ? {} : { enum: [...values] }),
    ...(items === undefined ? {} : { items }),
  };
}

function zodOfSchema(schema: JsonSchema): z.ZodType {
  return zodOf(schema, isObject(schema.$defs) ? schema.$defs : {}, 0);
}

function zodOf(
  schema: Json | undefined,
  definitions: Readonly<Record<string, Json>>,
  depth: number,
): z.ZodType {
  if (!isObject(schema) || depth > MAX_DEPTH) return z.unknown();
  const inner = isObject(schema.$defs) ? { ...definitions, ...schema.$defs } : definitions;
  if (typeof schema.$ref === 'string')
    return zodOf(inner[schema.$ref.slice('#/$defs/'.length)], inner, depth + 1);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const named = types.find((type) => type !== 'null');
  const type = Array.isArray(schema.enum) ? enumOf(schema.enum) : typed(named, schema, inner, depth);
  return types.includes('null') ? type.nullable() : type;
}

function enumOf(values: readonly Json[]): z.ZodType {
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === values.length && texts.length > 0) return z.enum(texts as [string, ...string[]]);
  const literals = values.filter((value) => value === null || typeof value !== 'object');
  return literals.length === 0 ? z.unknown() : z.literal(literals as [string | number | boolean | null]);
}

function typed(
  type: Json | undefined,
  schema: JsonSchema,
  definitions: Readonly<Record<string, Json>>,
  depth: number,
): z.ZodType {
  switch (type) {
    case 'string':
      return z.string();
    case 'integer':
      return z.number().int();
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'array':
      return z.array(zodOf(schema.items, definitions, depth + 1));
    default:
      return type === 'object' || isObject(schema.properties)
        ? objectOf(schema, definitions, depth)
        : z.unknown();
  }
}

/** Members that the schema does not name pass: connectors take them. */
function objectOf(schema: JsonSchema, definitions: Readonly<Record<string, Json>>, depth: number): z.ZodType {
  if (!isObject(schema.properties)) return z.record(z.string(), z.unknown());
  const required = Array.isArray(schema.required) ? schema.required : [];
  const shape = Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => {
      const facts = isObject(member) ? member : {};
      const description = typeof facts.description === 'string' ? facts.description : '';
      const isRequired = required.includes(name);
      const assumed = facts.default === undefined ? {} : { default: facts.default };
      return [
        name,
        finished(zodOf(member, definitions, depth + 1), { required: isRequired, description, ...assumed }),
      ];
    }),
  );
  return z.looseObject(shape);
}
