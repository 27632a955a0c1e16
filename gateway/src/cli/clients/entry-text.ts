import { isObject } from '../../operations/index.ts';
import { json } from '../terminal/terminal.ts';
import type { Client } from './client.ts';
import { readEntry, withEntry, withoutEntry } from './edit-jsonc.ts';
import { tableOf, withoutTable, withTable } from './edit-toml.ts';
import { parseJsonc } from './jsonc.ts';
import { parseToml } from './toml.ts';

/** How a client's file is written. */
type Format = Pick<Client, 'format' | 'key'>;

export async function valueIn({ format }: Format, text: string, file: string): Promise<unknown> {
  if (text.trim() === '') return {};
  return format === 'toml' ? await parseToml(text, file) : parseJsonc(text, file).value;
}

/** The entry of this name; undefined when it is not there. */
export async function entryIn(client: Format, text: string, name: string, file: string): Promise<unknown> {
  if (client.format !== 'toml') return readEntry(text, client.key, name, file);
  const servers = (await parseToml(text, file))[client.key];
  return isObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
}

/** The text with the entry of this name; everything else stays byte for byte. */
export async function textWithEntry(
  client: Format,
  text: string,
  name: string,
  entry: object,
  file: string,
): Promise<string> {
  return client.format === 'toml'
    ? await withTable(text, client.key, name, entry, file)
    : withEntry(text, client.key, name, entry, file);
}

export async function textWithoutEntry(
  client: Format,
  text: string,
  name: string,
  file: string,
): Promise<string> {
  return client.format === 'toml'
    ? await withoutTable(text, client.key, name, file)
    : withoutEntry(text, client.key, name, file);
}

/** The entry by itself, as it stands in the client's file. */
export async function shownEntry({ format, key }: Format, name: string, entry: object): Promise<string> {
  return format === 'toml' ? (await tableOf(key, name, entry)).trimEnd() : json({ [key]: { [name]: entry } });
}
