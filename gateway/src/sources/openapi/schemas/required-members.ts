import { isObject, type JsonObject } from '../../../operations/index.ts';

/**
 * An object whose members say of themselves that they are required (`required: true`, JSON Schema draft 3 §5.7), with
 * their names in its own `required`. AdonisJS's documents have it so.
 */
export function withRequiredMembers(node: JsonObject): JsonObject {
  const { properties, required } = node;
  if (!isObject(properties)) return node;
  let said: string[] | undefined;
  // nearly no document has one, and every object is asked
  for (const name in properties) {
    const member = properties[name];
    if (isObject(member) && member.required === true) said = [...(said ?? []), name];
  }
  if (said === undefined) return node;
  const listed = Array.isArray(required) ? required : [];
  return { ...node, required: [...new Set([...listed, ...said])] };
}
