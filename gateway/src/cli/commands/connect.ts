import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { absolutePath, defaultStateDirectory, homeDirectory } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { PlainReference } from '../../operations/index.ts';
import { BrokenOff } from '../broken-off.ts';
import type { Client, StdioEntry } from '../clients/client.ts';
import {
  backUp,
  type ConnectRecord,
  digest,
  readClientFile,
  readRecord,
  writeClientFile,
  writeRecord,
} from '../clients/client-file.ts';
import { isOurs, remoteEntry, settingsBeside, stdioEntry } from '../clients/entry.ts';
import { entryIn, shownEntry, textWithEntry } from '../clients/entry-text.ts';
import { clientNamed } from '../clients/registry.ts';
import { runnable } from '../command-line.ts';
import { environmentNames } from '../environment-names.ts';
import { checkNarrowing, type NarrowingOptions, narrowedAddress } from '../options/narrowing-options.ts';
import { type SourceOptions, settingsOfSources } from '../options/source-options.ts';
import { DEFAULT_KEY } from '../remote/remote-key.ts';
import { resolveConfiguration } from '../resolve-configuration.ts';
import { requireDocuments } from '../start/require-documents.ts';
import { json, type Terminal } from '../terminal/terminal.ts';

export interface ConnectOptions extends SourceOptions, NarrowingOptions {
  readonly name: string;
  readonly project?: boolean;
  readonly print?: boolean;
  readonly yes?: boolean;
  /** A team gateway instead of sources of this machine. */
  readonly remote?: string;
  readonly key?: PlainReference;
}

/** Writes our entry into a client's configuration, with a backup; asks first. */
export async function connect(name: string, options: ConnectOptions, terminal: Terminal): Promise<number> {
  const client = clientNamed(name);
  if (client.names?.test(options.name) === false)
    throw new ToolcribError('usage', `${client.title} takes letters, digits, "_" and "-" in --name.`);
  const { entry: fresh, needed } = await entryFor(client, options, terminal);
  const stateDirectory = stateDirectoryOf(options, terminal);
  const { path, text } = await readClientFile(clientFile(client, name, options, terminal));
  const record = await readRecord(stateDirectory, path, options.name);
  const existing = await entryIn(client, text ?? '', options.name, path);
  if (existing !== undefined && record === undefined && !isOurs(existing)) {
    throw new ToolcribError(
      'file_conflict',
      `There is an entry "${options.name}" of another program; choose another with --name.`,
      { location: path },
    );
  }
  const entry = { ...(client.written?.(fresh) ?? fresh), ...settingsBeside(existing) };
  const shown = `${path}:\n${await shownEntry(client, options.name, entry)}`;
  if (options.print) {
    terminal.out(options.json ? json({ file: path, entry }) : shown);
    noteEnvironment(needed, options, terminal);
    return 0;
  }
  if (isDeepStrictEqual(existing, JSON.parse(JSON.stringify(entry)))) {
    terminal.out(
      options.json
        ? json({ file: path, entry, changed: false })
        : `${client.title} is already connected (${path}).`,
    );
    return 0;
  }
  const next = await textWithEntry(client, text ?? '', options.name, entry, path);
  if (!options.json) terminal.note(shown);
  await requireConsent(`Write this entry into ${client.title}'s configuration?`, options, terminal);
  const backup = text === undefined ? undefined : await backUp(path, new Date());
  await writeClientFile(path, next);
  await writeRecord(
    stateDirectory,
    recordAfter({ path, name: options.name, text, next, backup, record, held: existing !== undefined }),
  );
  if (options.json) terminal.out(json({ file: path, entry, changed: true, backup: backup ?? null }));
  else {
    terminal.out(`Wrote "${options.name}" into ${path}${backup === undefined ? '' : `; backup: ${backup}`}.`);
    terminal.out(client.after);
    const named = options.name === 'toolcrib' ? [] : ['--name', options.name];
    const place = options.project ? ['--project'] : [];
    terminal.out(`Undo with: ${runnable(terminal, 'disconnect', name, ...named, ...place)}`);
  }
  noteEnvironment(needed, options, terminal);
  return 0;
}

interface Needing {
  readonly entry: StdioEntry;
  /** Variables that the client must be given beside it. */
  readonly needed: readonly string[];
}

/** What goes into the file. */
async function entryFor(client: Client, options: ConnectOptions, terminal: Terminal): Promise<Needing> {
  const { remote, key, allowPrivate } = options;
  if (remote === undefined) {
    if (key !== undefined) {
      throw new ToolcribError('usage', '--key is for a team gateway: name it with --remote.');
    }
    await requireDocuments(options.spec ?? [], terminal);
    const resolved = await resolveConfiguration(options.spec ?? [], options, terminal, { listening: false });
    checkNarrowing(options, Object.keys(resolved.configuration.sources));
    const entry = stdioEntry(client, resolved, options, terminal);
    return passedOn(client, entry, environmentNames(resolved.configuration));
  }
  if (settingsOfSources(options).length > 0) {
    throw new ToolcribError('usage', 'Name sources of this machine or --remote, not both.');
  }
  const settings = {
    remote: narrowedAddress(remote, options),
    ...(key && { key }),
    ...(allowPrivate && { allowPrivate }),
  };
  const entry = remoteEntry(client, settings, terminal);
  const reference = key ?? DEFAULT_KEY;
  const name = typeof reference === 'object' && 'env' in reference ? reference.env : undefined;
  return passedOn(client, entry, name === undefined || entry.env !== undefined ? [] : [name]);
}

/** A client that passes variables on is told their names; with any other a person has to see to it. */
function passedOn({ passesOn }: Client, entry: StdioEntry, names: readonly string[]): Needing {
  if (passesOn === undefined || names.length === 0) return { entry, needed: names };
  return { entry: { ...entry, [passesOn]: names }, needed: [] };
}

interface Written {
  readonly path: string;
  readonly name: string;
  readonly text: string | undefined;
  readonly next: string;
  readonly backup: string | undefined;
  readonly record: ConnectRecord | undefined;
  /** The file held our entry before. */
  readonly held: boolean;
}

/** A second `connect` keeps the first one's backup, as long as nobody else wrote in between. */
function recordAfter({ path, name, text, next, backup, record, held }: Written): ConnectRecord {
  const written = digest(next);
  if (held && record !== undefined && text !== undefined && record.written === digest(text)) {
    return { ...record, written };
  }
  const original = held ? undefined : backup;
  return {
    file: path,
    name,
    written,
    created: text === undefined,
    ...(original === undefined ? {} : { backup: original }),
  };
}

/** Never writes without a yes: from the person at the terminal, or `--yes`. */
export async function requireConsent(
  question: string,
  { yes }: ConnectOptions,
  terminal: Terminal,
): Promise<void> {
  if (yes) return;
  if (!terminal.interactive) {
    throw new ToolcribError(
      'usage',
      'Nothing was written: there is no terminal to ask on. Pass --yes, or --print to look first.',
    );
  }
  const agreed = await terminal.confirm(question);
  if (agreed) return;
  const next = 'Run the command again when it is wanted.';
  if (agreed === undefined) throw new BrokenOff('Nothing was written.', next);
  throw new ToolcribError('cancelled', 'Nothing was written.', { next });
}

export function clientFile(
  client: Client,
  name: string,
  { project }: ConnectOptions,
  terminal: Terminal,
): string {
  const { env, platform, cwd } = terminal;
  const place = { env, platform, cwd, home: homeDirectory(env, platform) };
  const files = project ? client.projectFiles?.(place) : client.userFiles(place);
  if (files !== undefined) return files.find((file) => existsSync(file)) ?? files[0];
  throw new ToolcribError(
    'usage',
    `${client.title} has no configuration of a project; leave out --project.`,
    { details: { client: name } },
  );
}

export function stateDirectoryOf({ stateDir }: SourceOptions, { env, cwd, platform }: Terminal): string {
  return stateDir === undefined ? defaultStateDirectory(env, platform) : absolutePath(stateDir, cwd, env);
}

function noteEnvironment(names: readonly string[], { remote }: ConnectOptions, terminal: Terminal): void {
  if (names.length === 0) return;
  if (remote !== undefined) {
    terminal.note(
      `The entry reads the key from ${names.join(', ')}. This client starts programs without your shell's environment: pass --key file:PATH instead, a file that only you can read.`,
    );
    return;
  }
  terminal.note(
    `The configuration reads ${names.join(', ')}. Clients start programs without your shell's environment: add them to the entry's "env", or use { file: … } references.`,
  );
}
