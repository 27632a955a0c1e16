import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { OWN_TOOL_NAMES } from '../../topology/own-names.ts';

/** In the folder of a source's state: tools of all other sources in the catalog that was compiled last. */
const FILE = 'static-names.json';

/** Names that tools of this source yield to; undefined without a catalog. */
export function staticNames(
  entries: Catalog['entries'] | undefined,
  source: string,
): ReadonlySet<string> | undefined {
  const others = entries?.filter((entry) => entry.source !== source);
  return others && new Set([...OWN_TOOL_NAMES, ...others.map(({ name }) => name)]);
}

/** Keeps them for commands that open no gateway; nothing is written where they are the same. */
export async function rememberStaticNames(directory: string, names: ReadonlySet<string>): Promise<void> {
  const path = join(directory, FILE);
  const text = `${JSON.stringify([...names].sort())}\n`;
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await makeFolder(directory);
  await replaceFile(path, text);
}

/** Undefined where no gateway compiled anything yet. */
export async function rememberedStaticNames(directory: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const names: unknown = JSON.parse(await readFile(join(directory, FILE), 'utf8'));
    return Array.isArray(names) ? new Set([...OWN_TOOL_NAMES, ...names.map(String)]) : undefined;
  } catch {
    return undefined;
  }
}
