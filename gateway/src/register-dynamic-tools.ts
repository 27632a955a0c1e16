import { z } from 'zod';
import type { CatalogEntry } from './catalog/catalog.ts';
import { parseConfiguration } from './config/index.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { isObject, type JsonObject, type Result } from './operations/index.ts';
import type { ToolServer, ToolText } from './sources/manifest/register-tools.ts';

/** The resource group whose connections become tools (seed names of Azure's own client). */
export interface ArmContext {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Region of the managed APIs, e.g. `westus`. */
  readonly location: string;
}

/** What registering tools came to. */
export interface RegistrationStats {
  registered: number;
  /** Tools that the server would not take. */
  skipped: number;
  /** One sentence each. */
  errors: string[];
}

/** What else the gateway behind the tools is given. */
export interface RegistrationOptions {
  /** Another Azure Resource Manager: a sovereign cloud, a proxy. */
  readonly armEndpoint?: string;
  /** Keys of `toolcrib.yaml` beside `sources`: policy, store, stateDirectory, … */
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** An MCP server that may tell its clients of new tools. */
export type DynamicToolServer = ToolServer & { sendToolListChanged?(): unknown };

const SOURCE = 'azure';

interface Registration {
  readonly gateway: Gateway;
  /** Names of the tools that the server has. */
  readonly names: Set<string>;
}

const REGISTRATIONS = new WeakMap<object, Promise<Registration>>();

/**
 * Puts the tools of every API connection of a resource group on an MCP server. Calls go through a gateway of their own:
 * access, approvals, limits and events as everywhere. One API that cannot be read costs only its own tools; rejects
 * with ToolcribError when the connections cannot be listed.
 */
export async function registerDynamicTools(
  server: DynamicToolServer,
  tokenProvider: () => Promise<string>,
  armContext: ArmContext,
  userAgentProvider: () => string,
  options: RegistrationOptions = {},
): Promise<RegistrationStats> {
  const known = REGISTRATIONS.get(server);
  const opening = known ?? open(tokenProvider, armContext, userAgentProvider, options);
  REGISTRATIONS.set(server, opening);
  const registration = await opening.catch((error: unknown) => {
    REGISTRATIONS.delete(server);
    throw error;
  });
  if (known !== undefined) await scanAgain(registration);
  return register(server, registration, () => true);
}

/**
 * The tools of one more connection, from ARM's answer to the PUT that made it; others stay as they are. Tells the
 * clients when there are any. An API that is registered already has nothing to add.
 */
export async function registerToolsForConnection(
  server: DynamicToolServer,
  connectionResponse: { readonly name: string },
  tokenProvider: () => Promise<string>,
  armContext: ArmContext,
  userAgentProvider: () => string,
  options: RegistrationOptions = {},
): Promise<RegistrationStats> {
  const known = REGISTRATIONS.get(server);
  const opening = known ?? open(tokenProvider, armContext, userAgentProvider, options);
  REGISTRATIONS.set(server, opening);
  const registration = await opening;
  if (known !== undefined) await scanAgain(registration);
  const stats = register(server, registration, (connection) => connection === connectionResponse.name);
  if (stats.registered > 0) await server.sendToolListChanged?.();
  return stats;
}

/** Ends the gateway behind the tools of a server; its tools then answer with errors. */
export async function closeDynamicTools(server: DynamicToolServer): Promise<void> {
  const opening = REGISTRATIONS.get(server);
  REGISTRATIONS.delete(server);
  await (await opening)?.gateway.close();
}

async function open(
  tokenProvider: () => Promise<string>,
  { subscriptionId, resourceGroup, location }: ArmContext,
  userAgentProvider: () => string,
  { armEndpoint, configuration = {} }: RegistrationOptions,
): Promise<Registration> {
  const azure = {
    subscription: subscriptionId,
    resourceGroup,
    location,
    refresh: false,
    ...(armEndpoint === undefined ? {} : { armEndpoint }),
  };
  const parsed = await parseConfiguration(
    { ...configuration, watch: false, sources: { [SOURCE]: { azure } } },
    { baseDirectory: process.cwd(), env: process.env },
  );
  const gateway = await createGateway(parsed, {
    azure: { token: () => tokenProvider(), userAgent: userAgentProvider },
  });
  return { gateway, names: new Set() };
}

async function scanAgain({ gateway }: Registration): Promise<void> {
  await gateway.call({ tool: 'refresh_tools' });
}

function register(
  server: DynamicToolServer,
  { gateway, names }: Registration,
  wanted: (connection: string) => boolean,
): RegistrationStats {
  const stats: RegistrationStats = { registered: 0, skipped: 0, errors: [] };
  for (const { severity, message } of gateway.diagnostics()) {
    if (severity !== 'info') stats.errors.push(message);
  }
  for (const entry of gateway.view().catalog.entries) {
    const { connector } = entry.facts;
    if (connector === undefined || names.has(entry.name) || !wanted(connector.connection)) continue;
    try {
      registerTool(server, entry, gateway);
      names.add(entry.name);
      stats.registered++;
    } catch (error) {
      stats.errors.push(`${entry.name}: ${error instanceof Error ? error.message : String(error)}`);
      stats.skipped++;
    }
  }
  return stats;
}

function registerTool(server: DynamicToolServer, { name, tool }: CatalogEntry, gateway: Gateway): void {
  const { description } = tool;
  const inputSchema = zodShape(tool.inputSchema);
  const handler = async (args: Record<string, unknown>): Promise<ToolText> =>
    textOf(await gateway.call({ tool: name, arguments: (args ?? {}) as JsonObject }));
  if ('registerTool' in server) server.registerTool(name, { description, inputSchema }, handler);
  else server.tool(name, description, inputSchema, handler);
}

/** Arguments as Zod types, by their names. */
function zodShape(schema: JsonObject): Record<string, z.ZodType> {
  const { properties, required, $defs } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
      const whole = isObject(property) ? { ...property, ...($defs === undefined ? {} : { $defs }) } : true;
      const type = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]);
      return [name, needed.has(name) ? type : type.optional()];
    }),
  );
}

function textOf(result: Result): ToolText {
  if (result.kind === 'input_required') {
    return {
      content: [{ type: 'text', text: 'The call needs input that this server cannot ask for.' }],
      isError: true,
    };
  }
  const content = result.content.map((block) =>
    block.type === 'text' ? block : { type: 'text' as const, text: JSON.stringify(block) },
  );
  return { content, ...(result.error === undefined ? {} : { isError: true }) };
}
