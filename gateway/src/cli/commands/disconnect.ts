import { readFile, rm } from 'node:fs/promises';
import { ToolcribError } from '../../errors.ts';
import {
  type ConnectRecord,
  digest,
  readClientFile,
  readRecord,
  removeRecord,
  writeClientFile,
} from '../clients/client-file.ts';
import { isOurs } from '../clients/entry.ts';
import { entryIn, textWithoutEntry } from '../clients/entry-text.ts';
import { clientNamed } from '../clients/registry.ts';
import { json, type Terminal } from '../terminal/terminal.ts';
import { type ConnectOptions, clientFile, requireConsent, stateDirectoryOf } from './connect.ts';

/** Removes our entry: the very bytes of before where nobody wrote since, else the entry alone. */
export async function disconnect(name: string, options: ConnectOptions, terminal: Terminal): Promise<number> {
  const client = clientNamed(name);
  const stateDirectory = stateDirectoryOf(options, terminal);
  const { path, text } = await readClientFile(clientFile(client, name, options, terminal));
  const record = await readRecord(stateDirectory, path, options.name);
  const entry = await entryIn(client, text ?? '', options.name, path);
  if (text === undefined || entry === undefined) {
    if (record !== undefined) await removeRecord(stateDirectory, record);
    say(`There is no entry "${options.name}" in ${path}.`, { file: path, changed: false }, options, terminal);
    return 0;
  }
  if (record === undefined && !isOurs(entry)) {
    throw new ToolcribError(
      'file_conflict',
      `The entry "${options.name}" belongs to another program; it stays.`,
      { location: path },
    );
  }
  const restored = await originalText(record, text);
  const next = restored ?? { text: await textWithoutEntry(client, text, options.name, path) };
  if (options.print) {
    const shown = next.text === undefined ? `${path} would be removed.` : next.text.trimEnd();
    say(shown, { file: path, changed: false, text: next.text ?? null }, options, terminal);
    return 0;
  }
  await requireConsent(`Remove "${options.name}" from ${client.title}'s configuration?`, options, terminal);
  if (next.text === undefined) await rm(path);
  else await writeClientFile(path, next.text);
  if (record !== undefined) await removeRecord(stateDirectory, record);
  if (restored !== undefined && record?.backup !== undefined) await rm(record.backup, { force: true });
  const how = restored === undefined ? 'Only the entry was removed' : 'The file is as it was before';
  say(
    `Removed "${options.name}" from ${path}. ${how}.`,
    { file: path, changed: true, restored: restored !== undefined },
    options,
    terminal,
  );
  return 0;
}

/** What stood there before we wrote, if the file is untouched since; `text` undefined: there was no file. */
async function originalText(
  record: ConnectRecord | undefined,
  current: string,
): Promise<{ text: string | undefined } | undefined> {
  if (record === undefined || record.written !== digest(current)) return undefined;
  if (record.created) return { text: undefined };
  if (record.backup === undefined) return undefined;
  return readFile(record.backup, 'utf8').then(
    (text) => ({ text }),
    () => undefined,
  );
}

function say(line: string, value: object, { json: asJson }: ConnectOptions, terminal: Terminal): void {
  terminal.out(asJson ? json(value) : line);
}
