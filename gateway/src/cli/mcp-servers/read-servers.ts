import type { McpServerEntry } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import { isObject } from '../../operations/index.ts';
import { isOurs } from '../clients/entry.ts';

export interface FoundServers {
  readonly file: string;
  /** Entries as they were written. */
  readonly servers: Readonly<Record<string, object>>;
  readonly skipped: ReadonlyArray<{ readonly name: string; readonly reason: string }>;
}

/**
 * The servers of a client's configuration: `{mcpServers}` (Claude, Cursor), `{servers}` (VS Code mcp.json) or
 * `{mcp: {servers}}` (VS Code settings.json). An entry that cannot be used costs only itself.
 */
export async function readServers(value: unknown, file: string): Promise<FoundServers> {
  const entries = serversIn(value);
  if (entries === undefined) {
    throw new ToolcribError('source_invalid', 'The file has neither "mcpServers" nor "servers".', {
      location: file,
    });
  }
  const [{ mcpServers }, { misspeltServerKeys, serverProblem }] = await Promise.all([
    import('../../config/schema/source.ts'),
    import('../../config/settings/mcp-servers.ts'),
  ]);
  const servers: Record<string, object> = {};
  const skipped: Array<{ name: string; reason: string }> = [];
  for (const [name, entry] of Object.entries(entries)) {
    if (name === '__proto__') skipped.push({ name, reason: 'its name cannot be used' });
    else if (isOurs(entry)) skipped.push({ name, reason: 'it is Toolcrib itself' });
    else {
      const [misspelt] = misspeltServerKeys(entry);
      const reason = mcpServers.safeParse({ [name]: entry }).success
        ? (serverProblem(entry as McpServerEntry) ?? misspelt?.[1])
        : (misspelt?.[1] ?? 'it has neither a "command" nor a "url", or they are of the wrong type');
      if (reason === undefined) servers[name] = entry as object;
      else skipped.push({ name, reason });
    }
  }
  return { file, servers, skipped };
}

function serversIn(value: unknown): object | undefined {
  if (!isObject(value)) return undefined;
  const { mcp } = value;
  const places = [value['mcpServers'], value['servers'], isObject(mcp) ? mcp['servers'] : undefined];
  return places.find(isObject);
}
