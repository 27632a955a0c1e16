import { isObject, type Json, type JsonObject, type JsonSchema } from '../json/json.ts';
import type { Operation } from '../operation.ts';

/**
 * What is left out of arguments, as far as the schema requires it and says what it is otherwise: generators of schemas
 * name members with a default as required, though the servers that they describe do not (zod's `io: 'output'`). Of
 * upstream servers alone, whose arguments are checked so and sent as they are.
 */
export function withDefaults({ input, invocation }: Operation, args: JsonObject): JsonObject {
  return invocation.kind === 'mcp' ? (filled(input, args) as JsonObject) : args;
}

function filled(schema: Json | undefined, value: Json): Json {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => filled(schema['items'], item));
  const { properties, required } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const names = Array.isArray(required) ? required : [];
  const given = Object.entries(value).map(
    ([name, member]) => [name, filled(own(properties, name), member)] as const,
  );
  const left = names.flatMap((name) => {
    const member =
      typeof name === 'string' && !Object.hasOwn(value, name) ? own(properties, name) : undefined;
    return isObject(member) && Object.hasOwn(member, 'default') ? [[name, member['default']] as const] : [];
  });
  return Object.fromEntries([...given, ...left]);
}

function own(properties: JsonSchema, name: string): Json | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
