import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { absolutePath, findConfiguration, homeDirectory } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import { readClientFile, writeClientFile } from '../clients/client-file.ts';
import { parseJsonc } from '../clients/jsonc.ts';
import { CLIENTS } from '../clients/registry.ts';
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

/** Takes the mcpServers of another client into toolcrib.yaml. Entries that are already there stay as they are. */
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
    const outcome = { from: found.file, to: path, added, same, conflicting, skipped: found.skipped };
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
  if (added.length > 0) terminal.note(`${verb} ${added.join(', ')} from ${found.file} into ${path}.`);
  if (same.length > 0) terminal.note(`Already there: ${same.join(', ')}.`);
  for (const name of conflicting)
    terminal.note(`${name}: ${path} has another entry of that name, which stays.`);
  for (const { name, reason } of found.skipped) terminal.note(`${name}: left out, ${reason}.`);
  if (added.length + same.length + conflicting.length === 0)
    terminal.note(`There is nothing to take from ${found.file}.`);
  else if (!print || added.length === 0) terminal.note(RUN);
  const secrets = added.filter((name) => carriesValues(found.servers[name]));
  if (secrets.length > 0) {
    terminal.note(
      `${secrets.join(', ')}: env or headers hold values as plain text; keep ${path} out of version control.`,
    );
  }
}

function carriesValues(entry: unknown): boolean {
  const { env, headers } = (entry ?? {}) as { env?: object; headers?: object };
  const values = [...Object.values(env ?? {}), ...Object.values(headers ?? {})];
  return values.some((value) => typeof value === 'string' && !/^\$\{[^}]+\}$/.test(value));
}

async function serversOf(source: string, terminal: Terminal): Promise<FoundServers> {
  if (source === '-')
    return readServers(parseJsonc(await terminal.readInput(), 'standard input').value, 'standard input');
  const file = resolve(terminal.cwd, source);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ToolcribError('source_unreadable', `The file cannot be read: ${error.message}.`, {
      location: file,
      cause: error,
    });
  });
  return readServers(parseJsonc(text, file).value, file);
}

/** The one client of this user, or of this folder, that has servers. */
async function soleClient({ env, platform, cwd }: Terminal): Promise<FoundServers> {
  const place = { env, platform, cwd, home: homeDirectory(env, platform) };
  const files = Object.values(CLIENTS).flatMap((client) =>
    [client.userFile(place), client.projectFile?.(place) ?? []].flat(),
  );
  const found: FoundServers[] = [];
  for (const file of files) {
    const { text } = await readClientFile(file);
    if (text === undefined || text.trim() === '') continue;
    const one = await readServers(parseJsonc(text, file).value, file).catch(() => undefined);
    if (one !== undefined && Object.keys(one.servers).length > 0) found.push(one);
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
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
