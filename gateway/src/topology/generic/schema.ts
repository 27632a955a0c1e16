import { z } from 'zod';
import type { JsonObject } from '../../operations/index.ts';
import type { Category, GenericMappings } from './category.ts';

const text = z.string().min(1);
const json = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>;
const pointer = z.string().regex(/^(?:\/.*)?$/s, 'Must be a JSON Pointer.');
const action = z.enum(['search', 'get', 'create', 'update']);
const source = z.union([z.string(), z.array(z.string()).min(1)]);

const toolDefinition = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Must be a tool name.'),
  title: text.optional(),
  description: text,
  access: z.enum(['read', 'write', 'delete']),
  input: json,
});

/** A category file. */
export const categorySchema = z.strictObject({
  category: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'A category has small letters, digits or "-".'),
  records: z.record(
    text,
    z.strictObject({ list: text, schema: json, tools: z.partialRecord(action, toolDefinition) }),
  ),
});

const mapping = z.strictObject({
  operation: text,
  arguments: json,
  when: z.array(text).min(1).optional(),
  needs: z.array(text).min(1).optional(),
  ignores: z.array(text).min(1).optional(),
  at: z.union([pointer, z.array(pointer).min(1)]).optional(),
  next: z
    .union([
      z.strictObject({ value: pointer }),
      z.strictObject({
        page: z.literal('number'),
        more: pointer.optional(),
        size: z.int().min(1).optional(),
      }),
      z.strictObject({ link: text }),
    ])
    .optional(),
  keeps: z
    .strictObject({
      operation: text,
      arguments: json,
      at: z.union([pointer, z.array(pointer).min(1)]).optional(),
      fields: z.record(text, pointer),
    })
    .optional(),
  failure: z.strictObject({ at: pointer, equals: z.string(), message: pointer.optional() }).optional(),
});

/** `generic` of a manifest. */
export const genericMappingsSchema = z.record(
  text,
  z.strictObject({
    fields: z.record(text, source),
    actions: z.partialRecord(action, z.array(mapping).min(1)),
  }),
);

export function parseCategory(value: unknown): Category {
  return categorySchema.parse(value) as Category;
}

/** Undefined where it does not fit: `toolcrib lint` says why. */
export function parseMappings(value: unknown): GenericMappings | undefined {
  return genericMappingsSchema.safeParse(value).data as GenericMappings | undefined;
}
