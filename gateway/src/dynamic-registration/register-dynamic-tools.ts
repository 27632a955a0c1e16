import type { CatalogEntry } from '../catalog/catalog.ts';
import { messageOf } from '../operations/text/message-of.ts';
import {
  type ArmContext,
  type DynamicRegistration,
  definitionOf,
  openRegistration,
  type RegistrationOptions,
} from './registration.ts';
import { type DynamicToolServer, putTool } from './tool-server.ts';

export type { ArmContext, RegistrationOptions } from './registration.ts';
export type { DynamicToolServer } from './tool-server.ts';

/** What registering tools came to. */
export interface RegistrationStats {
  /** Tools that the server did not have before. */
  registered: number;
  /** Tools that the server would not take. */
  skipped: number;
  /** One sentence each, the API or the tool in front. */
  errors: string[];
}

/** ARM's answer to the PUT of a connection. */
export interface ConnectionResponse {
  readonly name: string;
  readonly properties?: { readonly api?: { readonly name?: string } };
}

/** By server, then by resource group. */
const REGISTRATIONS = new WeakMap<object, Map<string, Promise<DynamicRegistration>>>();

/**
 * Puts the tools of every API connection of a resource group on an MCP server. Calls go through a gateway of their own:
 * access, approvals, limits and events as everywhere. Called again, it takes over what was added, changed and removed
 * since. One API that cannot be read costs only its own tools; rejects with ToolcribError when the connections cannot
 * be listed and none are known from before.
 */
export async function registerDynamicTools(
  server: DynamicToolServer,
  tokenProvider: () => Promise<string>,
  armContext: ArmContext,
  userAgentProvider: () => string,
  options: RegistrationOptions = {},
): Promise<RegistrationStats> {
  const { registration, problems } = await scanned(
    server,
    armContext,
    () => openRegistration(tokenProvider, armContext, userAgentProvider, options),
    () => true,
  );
  const entries = registration.entries();
  const replaced = removeOutdated(registration, entries);
  const stats = register(server, registration, entries, problems);
  return { ...stats, registered: stats.registered - replaced };
}

/**
 * The tools of one more connection, from ARM's answer to the PUT that made it; others stay as they are. Tells the
 * clients when there are any. A connection that is registered already has nothing to add, and nothing is fetched for
 * it. Rejects as `registerDynamicTools`.
 */
export async function registerToolsForConnection(
  server: DynamicToolServer,
  connectionResponse: ConnectionResponse,
  tokenProvider: () => Promise<string>,
  armContext: ArmContext,
  userAgentProvider: () => string,
  options: RegistrationOptions = {},
): Promise<RegistrationStats> {
  const { name, properties } = connectionResponse;
  const ofIt = (known: DynamicRegistration) =>
    known.entries().filter(({ facts }) => facts.connector?.connection === name);
  const { registration, problems } = await scanned(
    server,
    armContext,
    () => openRegistration(tokenProvider, armContext, userAgentProvider, options),
    (known) => !ofIt(known).some((entry) => known.tools.has(entry.name)),
  );
  const entries = ofIt(registration);
  const api = properties?.api?.name ?? name;
  // those of other APIs are none of its own; one that names none is of the list
  const own = problems.filter((problem) => problem.startsWith(`${api}: `) || !/^[^\s:]+: /.test(problem));
  const stats = register(server, registration, entries, own);
  if (stats.registered > 0) await server.sendToolListChanged?.();
  if (entries.length === 0 && stats.errors.length === 0)
    stats.errors.push(`${api}: Azure lists no connection ${name} with tools.`);
  return stats;
}

/** Ends the gateways behind the tools of a server; its tools then answer with errors. */
export async function closeDynamicTools(server: DynamicToolServer): Promise<void> {
  const opening = [...(REGISTRATIONS.get(server)?.values() ?? [])];
  REGISTRATIONS.delete(server);
  for (const one of await Promise.allSettled(opening))
    if (one.status === 'fulfilled') await one.value.close();
}

/** Opened at the first call; asked for again where somebody needs it. */
async function scanned(
  server: DynamicToolServer,
  { subscriptionId, resourceGroup, location }: ArmContext,
  open: () => Promise<DynamicRegistration>,
  isNeeded: (known: DynamicRegistration) => boolean,
): Promise<{ readonly registration: DynamicRegistration; readonly problems: readonly string[] }> {
  const groups = REGISTRATIONS.get(server) ?? new Map<string, Promise<DynamicRegistration>>();
  REGISTRATIONS.set(server, groups);
  const key = JSON.stringify([subscriptionId, resourceGroup.toLowerCase(), location]);
  const known = groups.get(key);
  const opening = known ?? open();
  groups.set(key, opening);
  try {
    const registration = await opening;
    if (known === undefined) return { registration, problems: registration.problems };
    return { registration, problems: isNeeded(registration) ? await registration.scan() : [] };
  } catch (error) {
    // the next call opens it anew
    if (groups.get(key) === opening) groups.delete(key);
    throw error;
  }
}

/** Takes away what is gone or has another definition, where the server can; how many will come again. */
function removeOutdated({ tools }: DynamicRegistration, entries: readonly CatalogEntry[]): number {
  const now = new Map(entries.map((entry) => [entry.name, entry]));
  let replaced = 0;
  for (const [name, { definition, remove }] of tools) {
    const entry = now.get(name);
    if (remove === undefined || (entry !== undefined && definitionOf(entry) === definition)) continue;
    remove();
    tools.delete(name);
    if (entry !== undefined) replaced++;
  }
  return replaced;
}

function register(
  server: DynamicToolServer,
  registration: DynamicRegistration,
  entries: readonly CatalogEntry[],
  problems: readonly string[],
): RegistrationStats {
  const stats: RegistrationStats = { registered: 0, skipped: 0, errors: [...problems] };
  for (const entry of entries) {
    const { name } = entry;
    if (registration.tools.has(name)) continue;
    try {
      registration.tools.set(name, putTool(server, entry, registration));
      stats.registered++;
    } catch (error) {
      stats.errors.push(`${name}: ${messageOf(error)}`);
      stats.skipped++;
    }
  }
  return stats;
}
