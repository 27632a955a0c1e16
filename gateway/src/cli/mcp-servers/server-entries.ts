import { isObject } from '../../operations/index.ts';

/**
 * The entries of a client's file by name; undefined where it has no place for servers. The places: `mcpServers`
 * (Claude, Cursor, Windsurf, Gemini CLI, Cline), `servers` (VS Code's mcp.json), `mcp.servers` (VS Code's
 * settings.json, OpenCode 2), `context_servers` (Zed), `mcp` (OpenCode), `mcp_servers` (Codex), `extensions` (Goose), a
 * list of named ones under `mcpServers` (Continue), and what `codex mcp list --json` prints. Claude Code keeps servers of one folder under `projects`; they come first.
 */
export function entriesIn(value: unknown, cwd: string): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) return entriesOfList(value);
  if (!isObject(value)) return undefined;
  const { mcp, projects, extensions } = value;
  const ofFolder = isObject(projects) ? projects[cwd] : undefined;
  const places = [
    isObject(ofFolder) ? ofFolder['mcpServers'] : undefined,
    Array.isArray(value['mcpServers']) ? ofNamed(value['mcpServers']) : value['mcpServers'],
    value['servers'],
    isObject(mcp) && !isEntry(mcp['servers']) ? mcp['servers'] : undefined,
    value['context_servers'],
    value['mcp_servers'],
    isObject(mcp) && Object.values(mcp).some(isEntry) ? mcp : undefined,
    isObject(extensions) && Object.values(extensions).some(isExtension) ? extensions : undefined,
  ].filter(isObject);
  if (places.length === 0) return undefined;
  const entries = new Map<string, unknown>();
  for (const place of places)
    for (const [name, entry] of Object.entries(place)) if (!entries.has(name)) entries.set(name, entry);
  return entries;
}

/** Names of servers that the file itself switches off: Gemini CLI lists them apart. */
export function switchedOff(value: unknown): ReadonlySet<string> {
  const mcp = isObject(value) ? value['mcp'] : undefined;
  const excluded = isObject(mcp) ? mcp['excluded'] : undefined;
  return new Set(Array.isArray(excluded) ? excluded.filter((name) => typeof name === 'string') : []);
}

/** Folders for which Claude Code has servers of their own. */
export function foldersWithServers(value: unknown): readonly string[] {
  const projects = isObject(value) ? value['projects'] : undefined;
  if (!isObject(projects)) return [];
  return Object.entries(projects).flatMap(([folder, project]) => {
    const servers = isObject(project) ? project['mcpServers'] : undefined;
    return isObject(servers) && Object.keys(servers).length > 0 ? [folder] : [];
  });
}

/** OpenCode's own: other members of `mcp` are settings. */
function isEntry(value: unknown): boolean {
  return isObject(value) && (value['type'] === 'local' || value['type'] === 'remote');
}

/** Goose's own: Gemini CLI has settings of that name. */
function isExtension(value: unknown): boolean {
  return isObject(value) && ('cmd' in value || 'uri' in value);
}

function ofNamed(list: readonly unknown[]): object {
  const named = list.filter(isObject).filter(({ name }) => typeof name === 'string');
  return Object.fromEntries(named.map(({ name, ...entry }) => [name as string, entry]));
}

function entriesOfList(list: readonly unknown[]): ReadonlyMap<string, unknown> | undefined {
  const named = list.filter(isObject).filter(({ name }) => typeof name === 'string');
  if (named.length === 0 && list.length > 0) return undefined;
  return new Map(
    named.map(({ name, enabled, transport }) => [
      name as string,
      isObject(transport) ? { ...transport, enabled } : undefined,
    ]),
  );
}
