import type { Access, JsonObject, JsonSchema, Tool } from '../../operations/index.ts';
import type { GenericAction, GenericToolDefinition, RecordDefinition } from './category.ts';

const HINTS: Readonly<
  Record<Exclude<Access, 'dangerous'>, { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }>
> = {
  read: { readOnlyHint: true, destructiveHint: false },
  write: { readOnlyHint: false, destructiveHint: false },
  delete: { readOnlyHint: false, destructiveHint: true },
};

/** The tool as clients see it; where several `sources` can carry it out it asks which. */
export function toolOf(
  { name, title, description, access, input }: GenericToolDefinition,
  action: GenericAction,
  { list, schema }: RecordDefinition,
  sources: readonly string[],
): Tool {
  const properties = (input.properties ?? {}) as JsonObject;
  const provider: JsonObject =
    sources.length > 1
      ? { provider: { type: 'string', enum: [...sources], description: 'Which connected provider to ask.' } }
      : {};
  const required = [...((input.required as string[] | undefined) ?? []), ...Object.keys(provider)];
  const output: JsonSchema =
    action === 'search'
      ? {
          type: 'object',
          properties: { [list]: { type: 'array', items: schema }, nextCursor: { type: 'string' } },
          required: [list],
        }
      : { ...schema, required: ['provider'] };
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: {
      ...input,
      type: 'object',
      properties: { ...properties, ...provider },
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    outputSchema: output,
    annotations: {
      ...HINTS[access],
      idempotentHint: access === 'read' || action === 'update',
      openWorldHint: true,
    },
  };
}
