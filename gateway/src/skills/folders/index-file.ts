import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../files/replace-file.ts';
import { isObject } from '../../operations/index.ts';
import { programStamp } from '../../program-stamp.ts';
import type { CompiledSkill } from '../../sources/skill/snapshot.ts';
import { skillText } from '../skill-texts.ts';
import { makeDirectory } from '../snapshot-file.ts';

/** What was made of a folder, and from which files: as long as none has another stamp nothing is read again. */
export interface IndexedFolder {
  readonly folder: string;
  readonly fingerprint: string;
  readonly compiled: CompiledSkill;
  /** Which artifacts were written, and where. */
  readonly artifacts?: { readonly folder: string; readonly key: string };
}

/** Another form, or another compiler, starts anew. */
const format = () => `1 ${programStamp()}`;
const NAME = 'index.json';

/** By folder. A file that is missing, damaged or from another version is empty. */
export async function readIndex(directory: string): Promise<Map<string, IndexedFolder>> {
  try {
    const index: unknown = JSON.parse(await readFile(join(directory, NAME), 'utf8'));
    if (!isObject(index) || index['format'] !== format() || !Array.isArray(index['folders']))
      return new Map();
    const folders = (index['folders'] as unknown as IndexedFolder[]).filter(isIndexed);
    return new Map(folders.map((each) => [each.folder, each]));
  } catch {
    return new Map();
  }
}

export async function writeIndex(directory: string, folders: Iterable<IndexedFolder>): Promise<void> {
  const texts = Array.from(folders, ({ compiled, ...rest }) => {
    const start = JSON.stringify(rest).slice(0, -1);
    return `${start},"compiled":${skillText(compiled)}}`;
  });
  await makeDirectory(directory);
  await replaceFile(
    join(directory, NAME),
    `{"format":${JSON.stringify(format())},"folders":[${texts.join(',\n')}]}\n`,
  );
}

function isIndexed(value: unknown): value is IndexedFolder {
  if (!isObject(value)) return false;
  const { folder, fingerprint, compiled } = value;
  return (
    typeof folder === 'string' &&
    typeof fingerprint === 'string' &&
    isObject(compiled) &&
    typeof compiled['id'] === 'string' &&
    typeof compiled['version'] === 'string' &&
    Array.isArray(compiled['tools']) &&
    Array.isArray(compiled['files'])
  );
}
