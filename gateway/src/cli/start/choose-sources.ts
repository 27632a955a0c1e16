import { join } from 'node:path';
import { sourceName } from '../../config/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { readClientFile, writeClientFile } from '../clients/client-file.ts';
import { importServers } from '../commands/import.ts';
import { withServers } from '../mcp-servers/write-servers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Asker } from './asker.ts';
import type { Surroundings } from './surroundings.ts';

const QUICKSTART = '';

/** Files that are asked about one by one. */
const MOST_ASKED = 2;
const SEVERAL = 'Take over the MCP servers of these clients into toolcrib.yaml, as sources of this gateway?';
const [NONE, EACH, ALL] = ['none', 'each', 'all'];
const HOW_MANY = [
  { value: NONE, label: 'None now', hint: '`toolcrib import` does it later' },
  { value: EACH, label: 'Ask for each' },
  { value: ALL, label: 'All of them' },
];

export interface ChosenSources {
  /** In place of the folder's configuration, or of the quickstart. */
  readonly document?: string;
  /** Files of other clients whose servers are taken over. */
  readonly serverFiles: readonly string[];
}

/** Asks what to serve; changes nothing. */
export async function chooseSources(around: Surroundings, asker: Asker): Promise<ChosenSources> {
  const document = await chooseDocument(around, asker);
  const serverFiles = await chooseServers(around, asker);
  return { serverFiles, ...(document === undefined ? {} : { document }) };
}

/** Does what was agreed to; names the documents to serve: none where toolcrib.yaml has everything. */
export async function takeOver(
  { document, serverFiles }: ChosenSources,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (serverFiles.length === 0) return document === undefined ? [] : [document];
  if (document !== undefined) await writeConfiguration(document, terminal);
  for (const file of serverFiles) await importServers(file, { served: true }, terminal);
  return [];
}

async function chooseDocument(
  { named, configuration, documents }: Surroundings,
  asker: Asker,
): Promise<string | undefined> {
  const [first] = documents;
  if (named || configuration !== undefined || first === undefined) return undefined;
  const choices = documents.map(({ file, format }) => ({
    value: file,
    label: printable(file),
    hint: format,
  }));
  const chosen = await asker.select(
    'What shall be served?',
    [...choices, { value: QUICKSTART, label: 'The quickstart', hint: 'weather, without an account' }],
    first.file,
  );
  return chosen === QUICKSTART ? undefined : chosen;
}

/** Files whose servers are taken over. Their programs would run from here: never without being asked for. */
async function chooseServers(
  { named, clients, configuration }: Surroundings,
  asker: Asker,
): Promise<readonly string[]> {
  if (named) return [];
  const offered: Array<{ readonly file: string; readonly what: string }> = [];
  for (const { title, servers } of clients) {
    for (const { file, servers: entries } of servers) {
      const missing = await missingIn(configuration, entries);
      if (missing.length > 0) offered.push({ file, what: `${printable(missing.join(', '))} from ${title}` });
    }
  }
  const all = offered.map(({ file }) => file);
  const how = offered.length > MOST_ASKED ? await asker.select(SEVERAL, HOW_MANY, NONE) : EACH;
  if (how !== EACH) return how === NONE ? [] : all;
  const chosen: string[] = [];
  for (const { file, what } of offered) {
    const question = `Take over ${what} into toolcrib.yaml, as sources of this gateway?`;
    if (await asker.agree(question, false)) chosen.push(file);
  }
  return chosen;
}

/** Those that were not taken over before. A configuration that cannot be read is told of when it is served. */
async function missingIn(
  configuration: string | undefined,
  entries: Readonly<Record<string, object>>,
): Promise<readonly string[]> {
  if (configuration === undefined) return Object.keys(entries);
  const { path, text } = await readClientFile(configuration);
  return await withServers(text, entries, path).then(
    ({ added }) => added,
    () => [],
  );
}

/** There is no configuration yet, else no document would have been proposed. */
async function writeConfiguration(document: string, { cwd }: Terminal): Promise<void> {
  const { stringify } = await import('yaml');
  const text = stringify({ sources: { [sourceName(document)]: { openapi: `./${document}` } } });
  await writeClientFile(join(cwd, 'toolcrib.yaml'), text);
}
