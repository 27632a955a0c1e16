import { dirname, join } from 'node:path';
import { absolutePath, type Environment, findConfiguration } from '../../config/index.ts';
import { neededVariables, serverName } from '../../config/settings/mcp-servers.ts';
import { literalSecrets } from '../../config/source-edit/literal-secrets.ts';
import type { JsonObject } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { readClientFile, writeClientFile } from '../clients/client-file.ts';
import { serversOf, serversOfClient } from '../mcp-servers/find-servers.ts';
import type { FoundServers } from '../mcp-servers/read-servers.ts';
import { withServers } from '../mcp-servers/write-servers.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface ImportOptions {
  readonly config?: string;
  readonly print?: boolean;
  readonly json?: boolean;
  /** What was taken is served at once: nobody has to be told what to do next. */
  readonly served?: boolean;
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
  const target =
    options.config === undefined
      ? (findConfiguration(cwd) ?? join(cwd, 'toolcrib.yaml'))
      : absolutePath(options.config, cwd, env);
  const { path, text } = await readClientFile(target);
  const found =
    source === undefined
      ? await serversOfClient(dirname(path), options.json === true, terminal)
      : await serversOf(source, dirname(path), terminal);
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
  { print, served }: ImportOptions,
  terminal: Terminal,
): void {
  const say = (line: string) => terminal.note(printable(line));
  const verb = print ? 'Would take' : 'Took';
  if (added.length > 0) say(`${verb} ${added.map(shownName).join(', ')} from ${found.file} into ${path}.`);
  if (same.length > 0) say(`Already there: ${same.join(', ')}.`);
  for (const name of conflicting)
    say(`${shownName(name)}: ${path} has another entry of that name, which stays.`);
  for (const { name, reason } of found.skipped) say(`${name}: left out, ${reason}.`);
  for (const { name, note } of notesOf(found, added, path, terminal.env)) say(`${name}: ${note}.`);
  if (added.length + same.length + conflicting.length === 0)
    say(`There is nothing to take from ${found.file}.`);
  else if (!served && (!print || added.length === 0)) say(RUN);
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
  const names = new Set(neededVariables(JSON.stringify(entry)));
  const unset = [...names].filter((name) => env[name] === undefined);
  return unset.length === 0 ? [] : [`set ${unset.join(', ')} before Toolcrib starts`];
}

function secretNotes(entry: JsonObject, path: string): string[] {
  const places = literalSecrets(entry).map((pointer) => pointer.slice(1).replaceAll('/', '.'));
  if (places.length === 0) return [];
  const what = places.length === 1 ? 'stands' : 'stand';
  return [
    `${places.join(', ')} ${what} in ${path} as plain text; write \${VAR} instead, or keep the file out of version control`,
  ];
}
