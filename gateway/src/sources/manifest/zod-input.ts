import { z } from 'zod';
import type { ParameterDef } from './manifest.ts';
import type { OperationPart } from './parameters.ts';

/** Zod types by argument name. Defaults are told, not filled in: the service has them anyway. */
export function zodInputOf(parts: readonly OperationPart[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    parts.map(({ argument, definition, place }) => {
      return [argument, described(definition, definition.required === true || place === 'path')];
    }),
  );
}

function described(definition: ParameterDef, needed: boolean): z.ZodType {
  const { description, default: assumed, nullable } = definition;
  const value = nullable ? zodOf(definition).nullable() : zodOf(definition);
  const type = needed ? value : value.optional();
  const text =
    assumed === undefined ? description : `${description ?? ''} Default: ${JSON.stringify(assumed)}.`.trim();
  return text === undefined ? type : type.describe(text);
}

function zodOf(definition: ParameterDef): z.ZodType {
  const { type, enum: values } = definition;
  if (values !== undefined) return z.literal(values.filter(isLiteral));
  switch (type) {
    case 'string':
      return stringOf(definition);
    case 'integer':
      return numberOf(z.int(), definition);
    case 'number':
      return numberOf(z.number(), definition);
    case 'boolean':
      return z.boolean();
    case 'file':
      return z.union([
        z.string(),
        z.strictObject({
          data: z.string(),
          filename: z.string().optional(),
          contentType: z.string().optional(),
        }),
      ]);
    case 'array':
      return arrayOf(definition);
    case 'object':
      return objectOf(definition);
    default:
      return z.json();
  }
}

/** Formats stay annotations, as they are in JSON Schema: the service judges them. */
function stringOf({ format, pattern, minLength, maxLength }: ParameterDef): z.ZodType {
  let type = z.string();
  if (minLength !== undefined) type = type.min(minLength);
  if (maxLength !== undefined) type = type.max(maxLength);
  if (pattern !== undefined) type = type.regex(new RegExp(pattern, 'u'));
  return format === undefined ? type : type.meta({ format });
}

function numberOf(type: z.ZodNumber | z.ZodInt, { minimum, maximum }: ParameterDef): z.ZodType {
  let bounded: z.ZodNumber = type;
  if (minimum !== undefined) bounded = bounded.min(minimum);
  if (maximum !== undefined) bounded = bounded.max(maximum);
  return bounded;
}

function arrayOf({ items, minItems, maxItems }: ParameterDef): z.ZodType {
  let type = z.array(items === undefined ? z.json() : described(items, true));
  if (minItems !== undefined) type = type.min(minItems);
  if (maxItems !== undefined) type = type.max(maxItems);
  return type;
}

function objectOf({ properties, additionalProperties }: ParameterDef): z.ZodType {
  if (properties === undefined) return z.record(z.string(), z.json());
  const shape = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, described(member, member.required === true)]),
  );
  return additionalProperties ? z.looseObject(shape) : z.strictObject(shape);
}

function isLiteral(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}
