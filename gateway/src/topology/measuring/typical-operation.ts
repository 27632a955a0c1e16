import { isObject, type Json, type JsonObject, type VisibleOperation } from '../../operations/index.ts';
import { propertySchema, typesOf } from '../../operations/invocation/argument-schema.ts';

/** One that reads, whose arguments are neither the shortest nor the longest to describe; without any, of all. */
export function typicalOperation(operations: readonly VisibleOperation[]): VisibleOperation | undefined {
  const reading = operations.filter(({ facts }) => facts.access === 'read' && facts.deprecated !== true);
  const candidates = reading.length > 0 ? reading : operations;
  const bySize = candidates
    .map((operation) => ({ operation, size: JSON.stringify(operation.tool.inputSchema).length }))
    .sort((a, b) => a.size - b.size || (a.operation.name < b.operation.name ? -1 : 1));
  return bySize[Math.floor(bySize.length / 2)]?.operation;
}

/** Values as short as a model would give, for what the operation requires. Nothing is sent anywhere. */
export function sampleArguments({ tool: { inputSchema } }: VisibleOperation): JsonObject {
  const { required } = inputSchema;
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, sampleValue(propertySchema(inputSchema, name))]));
}

function sampleValue(schema: JsonObject | undefined): Json {
  if (!isObject(schema)) return 'example';
  const { enum: choices, default: stated } = schema;
  if (stated !== undefined) return stated;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  const types = typesOf(schema);
  if (types.includes('string')) return 'example';
  if (types.includes('integer') || types.includes('number')) return 1;
  if (types.includes('boolean')) return true;
  if (types.includes('array')) return [];
  return types.includes('object') ? {} : 'example';
}
