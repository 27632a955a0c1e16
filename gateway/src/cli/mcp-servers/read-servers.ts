import type { McpServerEntry } from '../../config/index.ts';
import { hasNoTools, serverTools } from '../../config/settings/server-tools.ts';
import { ToolcribError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../operations/index.ts';
import { isOurs } from '../clients/entry.ts';
import { entriesIn, foldersWithServers, switchedOff } from './server-entries.ts';
import { ourEntry } from './their-entry.ts';
import { inItsFolder } from './their-folder.ts';
import { createVariables } from './their-variables.ts';

export interface FoundServers {
  readonly file: string;
  /** Entries as `mcpServers` has them here. */
  readonly servers: Readonly<Record<string, object>>;
  readonly skipped: ReadonlyArray<{ readonly name: string; readonly reason: string }>;
  /** What a person has to know of an entry that was taken. */
  readonly notes: ReadonlyArray<{ readonly name: string; readonly note: string }>;
}

export interface ReadPlace {
  readonly home: string;
  readonly cwd: string;
  /** The folder of the configuration that they are read for. Absent: `cwd`. */
  readonly base?: string;
}

/** The servers of a client's configuration, in our words. An entry that cannot be used costs only itself. */
export async function readServers(value: unknown, file: string, place: ReadPlace): Promise<FoundServers> {
  const entries = entriesIn(value, place.cwd);
  const elsewhere = foldersWithServers(value).filter((folder) => folder !== place.cwd);
  if (entries === undefined) throw noServers(file, elsewhere);
  const off = switchedOff(value);
  const { home, cwd, base = cwd } = place;
  const { mcpServers } = await import('../../config/schema/source.ts');
  const settings = await import('../../config/settings/mcp-servers.ts');
  const servers: Record<string, object> = {};
  const skipped: Array<{ name: string; reason: string }> = [];
  const notes: Array<{ name: string; note: string }> = [];
  for (const [name, theirs] of entries) {
    const leave = (reason: string) => skipped.push({ name, reason });
    if (name === '__proto__') leave('its name cannot be used');
    else if (!isObject(theirs)) leave('it is no object');
    else if (isOurs(theirs)) leave('it is Toolcrib itself');
    else if (off.has(name) || settings.isDisabledServer(theirs as unknown as McpServerEntry))
      leave(hasNoTools(theirs) ? 'none of its tools is switched on there' : 'it is switched off there');
    else {
      const variables = createVariables({ file, home }, formOf(theirs, file));
      const { entry: inOurWords, left } = ourEntry(theirs as JsonObject, variables);
      const { entry, notes: ofPaths } = inItsFolder(inOurWords, { file, home, base });
      const unknown = Object.fromEntries(left.map((key) => [key, true]));
      const [wrong] = settings.wrongServerKeys(unknown);
      const reason =
        wrong?.[1] ??
        serverTools(theirs).problem ??
        ('envFile' in theirs ? settings.serverProblem(theirs as unknown as McpServerEntry) : undefined) ??
        (mcpServers.safeParse({ [name]: entry }).success
          ? settings.serverProblem(entry as unknown as McpServerEntry)
          : shapeProblem(entry, theirs));
      if (reason !== undefined) leave(reason);
      else {
        servers[name] = entry;
        for (const note of [...new Set(variables.notes), ...ofPaths, ...leftNotes(left)])
          notes.push({ name, note });
      }
    }
  }
  return { file, servers, skipped, notes };
}

function noServers(file: string, folders: readonly string[]): ToolcribError {
  if (folders.length > 0)
    return new ToolcribError('source_invalid', 'The file has servers of single folders alone.', {
      location: file,
      next: `Import in one of them: ${folders.join(', ')}.`,
    });
  return new ToolcribError(
    'source_invalid',
    'The file has none of "mcpServers", "servers", "context_servers", "mcp_servers", "mcp" and "extensions".',
    { location: file },
  );
}

function formOf(entry: object, file: string): { readonly opencode: boolean; readonly gemini: boolean } {
  const { type } = entry as { type?: unknown };
  return {
    opencode: type === 'local' || type === 'remote',
    gemini: 'httpUrl' in entry || /[\\/]\.gemini[\\/]/.test(file),
  };
}

/** Why an entry is none of ours; which of several reasons matters little. */
function shapeProblem({ type, command, url, env, headers }: JsonObject, theirs: object): string {
  if (command === undefined && url === undefined)
    return 'settings' in theirs || 'source' in theirs
      ? 'an extension of its editor starts it, and the file does not say how'
      : 'it has neither a "command" nor a "url"';
  for (const [key, values] of Object.entries({ env, headers }))
    for (const [name, value] of Object.entries(values ?? {}))
      if (typeof value !== 'string') return `${key}.${name} is no text`;
  if (typeof type === 'string' && !/^(?:stdio|http|sse|streamable-http|streamableHttp)$/.test(type))
    return `its type "${type}" is none of stdio, http and sse`;
  return 'a part of it is of the wrong type';
}

function leftNotes(left: readonly string[]): string[] {
  if (left.length === 0) return [];
  const times = left.some((key) => /timeout/i.test(key))
    ? ' (a source has startTimeout and limits for it)'
    : '';
  return [`left behind: ${left.join(', ')}${times}`];
}
