import { readDocument } from '../../config/document.ts';
import { serverName } from '../../config/settings/mcp-servers.ts';
import { literalSecrets } from '../../config/source-edit/literal-secrets.ts';
import { isObject, type JsonObject } from '../../operations/index.ts';
import type { SourceChange, SourceEntry } from '../../server/http/admin/gateway-sources.ts';
import type { ReadFile } from './configuration-file.ts';

/** Where a source stands in the configuration file. */
export interface WrittenEntry {
  readonly section: SourceChange['section'];
  /** As it is written: other clients' names of servers may be no names of sources. */
  readonly key: string;
  readonly entry: JsonObject;
}

/** The entry that a source comes from; undefined where the file names none. Throws `configuration_invalid`. */
export async function writtenEntry(
  { text, path }: ReadFile,
  name: string,
): Promise<WrittenEntry | undefined> {
  const { value } = await readDocument(text, path);
  if (!isObject(value)) return undefined;
  const { sources, mcpServers } = value;
  if (isObject(sources) && Object.hasOwn(sources, name)) return entryOf('sources', name, sources);
  if (!isObject(mcpServers)) return undefined;
  const key = Object.keys(mcpServers).find((given) => serverName(given) === name);
  return key === undefined ? undefined : entryOf('mcpServers', key, mcpServers);
}

function entryOf(
  section: SourceChange['section'],
  key: string,
  entries: JsonObject,
): WrittenEntry | undefined {
  const entry = entries[key];
  return isObject(entry) ? { section, key, entry } : undefined;
}

/** The entry for a person to read; undefined where it holds a secret as text. */
export async function shownEntry({ section, key, entry }: WrittenEntry): Promise<SourceEntry | undefined> {
  if (literalSecrets(entry).length > 0) return undefined;
  return { section, name: key, value: entry, yaml: await entryAsYaml(section, key, entry) };
}

export async function entryAsYaml(
  section: SourceChange['section'],
  name: string,
  entry: JsonObject,
): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify({ [section]: { [name]: entry } }, { lineWidth: 0 });
}
