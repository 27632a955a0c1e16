import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'yaml';
import { readDocument } from '../../config/document.ts';
import { serverName } from '../../config/settings/mcp-servers.ts';
import { ToolcribError } from '../../errors.ts';
import { isObject } from '../../operations/index.ts';
import { withEntry } from '../clients/edit-jsonc.ts';

export interface WrittenServers {
  readonly text: string;
  readonly added: readonly string[];
  readonly same: readonly string[];
  readonly conflicting: readonly string[];
}

/** The configuration with the entries under `mcpServers:`; what it has already is never changed. */
export async function withServers(
  text: string | undefined,
  servers: Readonly<Record<string, object>>,
  file: string,
): Promise<WrittenServers> {
  const before = text === undefined ? {} : ((await readDocument(text, file)).value ?? {});
  if (!isObject(before)) {
    throw new ToolcribError('file_conflict', 'The configuration is no mapping of keys.', { location: file });
  }
  const kept = isObject(before['mcpServers']) ? before['mcpServers'] : {};
  const names = Object.keys(servers);
  const sources = isObject(before['sources']) ? before['sources'] : {};
  const taken = new Set([...Object.keys(sources), ...Object.keys(kept).map(serverName)]);
  const added = names.filter((name) => {
    const free = !Object.hasOwn(kept, name) && !taken.has(serverName(name));
    if (free) taken.add(serverName(name));
    return free;
  });
  const same = names.filter(
    (name) => Object.hasOwn(kept, name) && isDeepStrictEqual(kept[name], servers[name]),
  );
  const conflicting = names.filter((name) => !added.includes(name) && !same.includes(name));
  const entries = Object.fromEntries(added.map((name) => [name, servers[name]!]));
  const next = added.length === 0 ? (text ?? '') : await written(text, entries, before, file);
  return { text: next, added, same, conflicting };
}

async function written(
  text: string | undefined,
  entries: Readonly<Record<string, object>>,
  before: object,
  file: string,
): Promise<string> {
  if (text?.trimStart().startsWith('{')) {
    return Object.entries(entries).reduce(
      (current, [name, entry]) => withEntry(current, 'mcpServers', name, entry, file),
      text,
    );
  }
  const { parseDocument, stringify } = await import('yaml');
  if (text === undefined || !('mcpServers' in before)) {
    const head = text === undefined || text === '' ? '' : text.endsWith('\n') ? text : `${text}\n`;
    return withEndsOf(text, `${head}${stringify({ mcpServers: entries }, { lineWidth: 0 })}`);
  }
  const document: Document = parseDocument(text);
  if (!isObject((before as { mcpServers?: unknown }).mcpServers))
    document.set('mcpServers', document.createNode({}));
  for (const [name, entry] of Object.entries(entries))
    document.setIn(['mcpServers', name], document.createNode(entry));
  return withEndsOf(text, document.toString({ lineWidth: 0 }));
}

/** A file of Windows keeps its line ends. */
function withEndsOf(before: string | undefined, text: string): string {
  return before?.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}
