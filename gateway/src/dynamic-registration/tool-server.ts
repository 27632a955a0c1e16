import { z } from 'zod';
import type { CatalogEntry } from '../catalog/catalog.ts';
import { asToolcribError } from '../errors.ts';
import { isObject, type JsonObject, type Result } from '../operations/index.ts';
import type { ToolServer, ToolText } from '../sources/manifest/register-tools.ts';
import { type DynamicRegistration, definitionOf, type RegisteredTool } from './registration.ts';

/** An MCP server, of either generation, that may tell its clients of new tools. */
export type DynamicToolServer = ToolServer & { sendToolListChanged?(): unknown };

/** Puts one tool on a server. Throws what the server throws. */
export function putTool(
  server: DynamicToolServer,
  entry: CatalogEntry,
  calls: Pick<DynamicRegistration, 'call'>,
): RegisteredTool {
  const { name, tool } = entry;
  const { description } = tool;
  const inputSchema = argumentTypes(tool.inputSchema);
  const handler = (args: Record<string, unknown>, context?: unknown): Promise<ToolText> =>
    carryOut(entry, calls, args ?? {}, context);
  const handle: unknown =
    'registerTool' in server
      ? server.registerTool(name, { description, inputSchema }, handler)
      : server.tool(name, description, inputSchema, handler);
  return {
    definition: definitionOf(entry),
    ...(isRemovable(handle) ? { remove: () => handle.remove() } : {}),
  };
}

async function carryOut(
  entry: CatalogEntry,
  calls: Pick<DynamicRegistration, 'call'>,
  args: Record<string, unknown>,
  context: unknown,
): Promise<ToolText> {
  try {
    const signal = signalOf(context);
    const request = { tool: entry.name, arguments: args as JsonObject };
    return answerOf(await calls.call({ ...request, ...(signal === undefined ? {} : { signal }) }));
  } catch (error) {
    const { message, next } = asToolcribError(error);
    return failure(`Error invoking ${seedName(entry.facts)}: ${message}\n${next}`);
  }
}

/**
 * Arguments by name. A server lists them exactly as they are; what a value has to be is checked by the gateway, whose
 * errors say which values there are.
 */
function argumentTypes({ properties, required }: JsonObject): Record<string, z.ZodType> {
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
      const type = isObject(schema) ? z.unknown().meta(schema) : z.unknown();
      return [name, needed.has(name) ? type : type.optional()];
    }),
  );
}

function answerOf(result: Result): ToolText {
  if (result.kind === 'input_required')
    return failure('The call needs input that this server cannot ask for.');
  // blocks of content are those of MCP, text or not
  const content = result.content.map((block) => ({ ...block })) as ToolText['content'];
  return { content, ...(result.error === undefined ? {} : { isError: true }) };
}

function failure(text: string): ToolText {
  return { content: [{ type: 'text', text }], isError: true };
}

/** `office365.SendEmailV2`, whatever the connection is called. */
function seedName({ id, connector }: CatalogEntry['facts']): string {
  return connector === undefined ? id : `${connector.api}${id.slice(connector.connection.length)}`;
}

/** Where servers of the two generations tell that a call was cancelled. */
function signalOf(context: unknown): AbortSignal | undefined {
  if (typeof context !== 'object' || context === null) return undefined;
  const { signal, mcpReq } = context as { signal?: unknown; mcpReq?: { signal?: unknown } };
  return [signal, mcpReq?.signal].find((one) => one instanceof AbortSignal);
}

function isRemovable(handle: unknown): handle is { remove(): void } {
  return typeof (handle as { remove?: unknown } | null | undefined)?.remove === 'function';
}
