import { isObject, type JsonObject } from '../../operations/index.ts';

/**
 * What a client adds to the schema of every tool for itself, and sends along with the model's arguments. Gemini CLI 0.61
 * orders calls by `wait_for_previous`, and tells its model to set it.
 */
const ADDITIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['gemini-cli-mcp-client', ['wait_for_previous']],
]);

/** The arguments of a call without what its client added; what the tool knows by that name is the tool's. */
export function withoutAdditions(
  args: JsonObject,
  client: string | undefined,
  inputSchema: () => JsonObject | undefined,
): JsonObject {
  const added = ADDITIONS.get(client ?? '')?.filter((name) => Object.hasOwn(args, name)) ?? [];
  if (added.length === 0) return args;
  const known = inputSchema()?.['properties'];
  const foreign = new Set(added.filter((name) => !(isObject(known) && Object.hasOwn(known, name))));
  return Object.fromEntries(Object.entries(args).filter(([name]) => !foreign.has(name)));
}
