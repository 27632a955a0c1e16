import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { absolutePath, type Environment, findConfiguration, homeDirectory } from '../../config/index.ts';
import { isWholeVariable, neededVariables, serverName } from '../../config/settings/mcp-servers.ts';
import { literalSecrets } from '../../config/source-edit/literal-secrets.ts';
import { ToolcribError } from '../../errors.ts';
import type { Json, JsonObject } from '../../operations/index.ts';
import type { ClientPlace } from '../clients/client.ts';
import { readClientFile, writeClientFile } from '../clients/client-file.ts';
import { parseJsonc } from '../clients/jsonc.ts';
import { CLIENTS } from '../clients/registry.ts';
import { codexFile, otherPlaces } from '../mcp-servers/other-places.ts';
import { type FoundServers, readServers } from '../mcp-servers/read-servers.ts';
import { withServers } from '../mcp-servers/write-servers.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface ImportOptions {
  readonly config?: string;
  readonly print?: boolean;
  readonly json?: boolean;
}

const RUN =
  'They are sources now: `toolcrib upstream status` tries them, and a running gateway takes them over.';

/** Takes the MCP servers of another client into toolcrib.yaml. Entries that are already there stay as they are. */
export async function importServers(
  source: string | undefined,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  const { cwd, env } = terminal;
  const found = source === undefined ? await soleClient(terminal) : await serversOf(source, terminal);
  const target =
    options.config === undefined
      ? (findConfiguration(cwd) ?? join(cwd, 'toolcrib.yaml'))
      : absolutePath(options.config, cwd, env);
  const { path, text } = await readClientFile(target);
  const { text: next, added, same, conflicting } = await withServers(text, found.servers, path);
  if (!options.print && added.length > 0) await writeClientFile(path, next);
  if (options.json) {
    const { file: from, skipped } = found;
    const notes = notesOf(found, added, path, env);
    const outcome = { from, to: path, added, same, conflicting, skipped, notes };
    terminal.out(json(options.print ? { ...outcome, text: next } : outcome));
  } else {
    if (options.print) terminal.out(next.trimEnd());
    report({ found, path, added, same, conflicting }, options, terminal);
  }
  return conflicting.length > 0 ? 73 : 0;
}

interface Outcome {
  readonly found: FoundServers;
  readonly path: string;
  readonly added: readonly string[];
  readonly same: readonly string[];
  readonly conflicting: readonly string[];
}

function report(
  { found, path, added, same, conflicting }: Outcome,
  { print }: ImportOptions,
  terminal: Terminal,
): void {
  const verb = print ? 'Would take' : 'Took';
  if (added.length > 0)
    terminal.note(`${verb} ${added.map(shownName).join(', ')} from ${found.file} into ${path}.`);
  if (same.length > 0) terminal.note(`Already there: ${same.join(', ')}.`);
  for (const name of conflicting)
    terminal.note(`${shownName(name)}: ${path} has another entry of that name, which stays.`);
  for (const { name, reason } of found.skipped) terminal.note(`${name}: left out, ${reason}.`);
  for (const { name, note } of notesOf(found, added, path, terminal.env)) terminal.note(`${name}: ${note}.`);
  if (added.length + same.length + conflicting.length === 0)
    terminal.note(`There is nothing to take from ${found.file}.`);
  else if (!print || added.length === 0) terminal.note(RUN);
}

/** With the name that its source has, where that is another one: two servers may come to the same. */
function shownName(name: string): string {
  const ours = serverName(name);
  return ours === name ? name : `${name} (here ${ours})`;
}

/** What a person has to do about the entries that were taken. */
function notesOf(
  found: FoundServers,
  added: readonly string[],
  path: string,
  env: Environment,
): FoundServers['notes'] {
  return added.flatMap((name) => {
    const entry = found.servers[name] as JsonObject;
    const own = found.notes.filter((one) => one.name === name).map(({ note }) => note);
    return [...own, ...variableNotes(entry, env), ...secretNotes(entry, path)].map((note) => ({
      name,
      note,
    }));
  });
}

function variableNotes(entry: JsonObject, env: Environment): string[] {
  const isUnset = (name: string) => env[name] === undefined;
  const unset = variablesIn(entry).filter(isUnset);
  if (unset.length === 0) return [];
  const needed = neededToRead(entry).filter(isUnset);
  const until =
    needed.length === 0 ? '' : `; without ${needed.join(', ')} the whole configuration cannot be read`;
  return [`set ${unset.join(', ')} before Toolcrib starts${until}`];
}

/** Those within other text, and outside env and headers, which are read with the configuration. */
function neededToRead({ env, headers, ...others }: JsonObject): string[] {
  const values = [...Object.values(env ?? {}), ...Object.values(headers ?? {})] as Json[];
  const within = values.filter((value) => typeof value === 'string' && !isWholeVariable(value));
  return variablesIn([others, ...within]);
}

function variablesIn(value: Json): string[] {
  return [...new Set(neededVariables(JSON.stringify(value)))];
}

function secretNotes(entry: JsonObject, path: string): string[] {
  const places = literalSecrets(entry).map((pointer) => pointer.slice(1).replaceAll('/', '.'));
  if (places.length === 0) return [];
  const what = places.length === 1 ? 'stands' : 'stand';
  return [
    `${places.join(', ')} ${what} in ${path} as plain text; write \${VAR} instead, or keep the file out of version control`,
  ];
}

async function serversOf(source: string, terminal: Terminal): Promise<FoundServers> {
  const place = placeOf(terminal);
  if (source === '-') {
    const input = 'standard input';
    return await readServers(parseJsonc(await terminal.readInput(), input).value, input, place);
  }
  if (source.toLowerCase().endsWith('.toml')) throw tomlUnread(source);
  const file = resolve(terminal.cwd, source);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ToolcribError('source_unreadable', `The file cannot be read: ${error.message}.`, {
      location: file,
      cause: error,
    });
  });
  return await readServers(parseJsonc(text, file).value, file, place);
}

function tomlUnread(file: string): ToolcribError {
  return new ToolcribError('source_invalid', 'Servers in TOML are not read.', {
    location: file,
    next: 'Have Codex write them as JSON: `codex mcp list --json | toolcrib import -`.',
  });
}

function placeOf({ env, platform, cwd }: Terminal): ClientPlace {
  return { env, platform, cwd, home: homeDirectory(env, platform) };
}

/** The one client of this user, or of this folder, that has servers. */
async function soleClient(terminal: Terminal): Promise<FoundServers> {
  const place = placeOf(terminal);
  const ofClients = Object.values(CLIENTS).flatMap((client) =>
    [client.userFile(place), client.projectFile?.(place) ?? []].flat(),
  );
  const files = [...new Set([...ofClients, ...otherPlaces(place)])];
  const found: FoundServers[] = [];
  for (const file of files) {
    const one = await foundIn(file, place);
    if (one !== undefined && Object.keys(one.servers).length > 0) found.push(one);
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    const codex = codexFile(place);
    if (existsSync(codex)) throw tomlUnread(codex);
    throw new ToolcribError(
      'source_unreadable',
      `No client of this user has MCP servers; name a file. Looked at: ${files.map((file) => dirname(file)).join(', ')}.`,
    );
  }
  throw new ToolcribError(
    'usage',
    `Several clients have MCP servers; name one file: ${found.map(({ file }) => file).join(', ')}.`,
  );
}

/** A file that cannot be read is another client's concern, as long as it is not named. */
async function foundIn(file: string, place: ClientPlace): Promise<FoundServers | undefined> {
  try {
    const { text } = await readClientFile(file);
    if (text === undefined || text.trim() === '') return undefined;
    return await readServers(parseJsonc(text, file).value, file, place);
  } catch {
    return undefined;
  }
}
