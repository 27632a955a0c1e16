import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readDocument } from '../../config/document.ts';
import { homeDirectory } from '../../config/index.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { printable } from '../../operations/text/printable.ts';
import { unreadable } from '../../operations/text/unreadable.ts';
import type { ClientPlace } from '../clients/client.ts';
import { readClientFile } from '../clients/client-file.ts';
import { parseJsonc } from '../clients/jsonc.ts';
import { looksLikeToml, parseToml } from '../clients/toml.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clientPlaces } from './client-places.ts';
import { type FoundServers, type ReadPlace, readServers } from './read-servers.ts';

/** The servers of a file that was named, or of standard input for `-`. */
export async function serversOf(source: string, base: string, terminal: Terminal): Promise<FoundServers> {
  const place = { ...placeOf(terminal), base };
  if (source === '-') return await serversIn(await terminal.readInput(), 'standard input', place);
  const file = resolve(terminal.cwd, source);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ToolcribError('source_unreadable', `The file cannot be read: ${unreadable(error)}.`, {
      location: file,
      cause: error,
    });
  });
  return await serversIn(text, file, place);
}

/** The one client of this user, or of this folder, that has servers; a person is asked which where there are several. */
export async function serversOfClient(
  base: string,
  asJson: boolean,
  terminal: Terminal,
): Promise<FoundServers> {
  const place = { ...placeOf(terminal), base };
  const found: Array<FoundServers & { readonly title: string }> = [];
  const broken: ToolcribError[] = [];
  const leftOut: FoundServers[] = [];
  const places = clientPlaces(place);
  for (const { title, files } of places) {
    for (const file of files) {
      try {
        const one = await serversOfFile(file, place);
        if (one === undefined) continue;
        if (Object.keys(one.servers).length > 0) found.push({ ...one, title });
        else if (one.skipped.length > 0) leftOut.push(one);
      } catch (error) {
        // no servers in it is no fault of a file
        if (isToolcribError(error) && error.code === 'file_conflict') broken.push(error);
      }
    }
  }
  const [only] = found;
  if (only === undefined)
    throw (
      broken[0] ??
      noneFound(
        places.flatMap(({ files }) => files),
        leftOut,
      )
    );
  for (const { location, message } of broken) terminal.note(printable(`Passed over ${location}: ${message}`));
  return found.length === 1 ? only : await chosenOf(found, asJson ? { interactive: false } : terminal);
}

/** The servers of a client's file; undefined where there is no file. */
export async function serversOfFile(file: string, place: ReadPlace): Promise<FoundServers | undefined> {
  const { text } = await readClientFile(file);
  return text === undefined || text.trim() === '' ? undefined : await serversIn(text, file, place);
}

async function serversIn(text: string, file: string, place: ReadPlace): Promise<FoundServers> {
  if (/\.ya?ml$/i.test(file)) return await readServers((await readDocument(text, file)).value, file, place);
  const isToml = /\.toml$/i.test(file) || (!/\.jsonc?$/i.test(file) && looksLikeToml(text));
  const value = isToml ? await parseToml(text, file) : parseJsonc(text, file).value;
  return await readServers(value, file, place);
}

async function chosenOf(
  found: ReadonlyArray<FoundServers & { readonly title: string }>,
  { interactive, select }: Pick<Terminal, 'interactive' | 'select'>,
): Promise<FoundServers> {
  const choices = found.map(({ file, title, servers }) => ({
    value: file,
    label: printable(`${title}: ${Object.keys(servers).join(', ')}`),
    hint: file,
  }));
  if (interactive && select !== undefined) {
    const chosen = await select('Take over the servers of which client?', choices, choices[0]!.value);
    const one = found.find(({ file }) => file === chosen);
    if (one !== undefined) return one;
    throw new ToolcribError('cancelled', 'Nothing was written.', { next: 'Or name the file.' });
  }
  throw new ToolcribError('usage', 'Several clients have MCP servers: name the file of one.', {
    next: choices.map(({ label, hint }) => `toolcrib import ${hint}   (${label})`).join('\n        '),
    details: {
      files: found.map(({ file, title, servers }) => ({ file, title, servers: Object.keys(servers) })),
    },
  });
}

function noneFound(files: readonly string[], leftOut: readonly FoundServers[]): ToolcribError {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const reasons = leftOut.map(
    ({ file, skipped }) => ` ${file}: ${skipped.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}.`,
  );
  return new ToolcribError(
    'source_unreadable',
    printable(
      `No client of this user has MCP servers${reasons.length === 0 ? '' : ' that can be taken'}; name a file.${reasons.join('')} Looked at: ${folders.join(', ')}.`,
    ),
  );
}

export function placeOf({ env, platform, cwd }: Terminal): ClientPlace {
  return { env, platform, cwd, home: homeDirectory(env, platform) };
}
