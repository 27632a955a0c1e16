import type { Entry, ZipFile } from 'yauzl';
import { refused, shown } from './refuse.ts';

/** One entry as the archive's directory has it. */
export interface ZipEntry {
  readonly name: string;
  readonly entry: Entry;
  readonly kind: 'file' | 'folder';
  readonly executable: boolean;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** "Made by" of archives whose entries have a Unix mode: Unix, macOS. */
const UNIX: ReadonlySet<number> = new Set([3, 19]);
const TYPE = 0o170000;
const LINK = 0o120000;
const FOLDER = 0o040000;
const FILE = 0o100000;
/** An extra field with the name once more. */
const UNICODE_PATH = 0x7075;

/** The directory of an archive, in order. Throws `archive_refused`. */
export async function listedEntries(zip: ZipFile): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(listed(entry));
  if (entries.length === 0) throw refused('It holds nothing.');
  return entries;
}

function listed(entry: Entry): ZipEntry {
  const name = nameOf(entry);
  const mode = entry.externalFileAttributes >>> 16;
  const type = mode & TYPE;
  if (type === LINK) throw refused('is a symbolic link.', name);
  if (type !== 0 && type !== FILE && type !== FOLDER) throw refused('is no plain file and no folder.', name);
  const kind = name.endsWith('/') ? 'folder' : 'file';
  if ((type === FOLDER && kind === 'file') || (type === FILE && kind === 'folder'))
    throw refused('is a file by its name and a folder by its type, or the other way round.', name);
  return { name, entry, kind, executable: UNIX.has(entry.versionMadeBy >> 8) && (mode & 0o111) !== 0 };
}

/** Names are read as UTF-8, as archivers write them whatever they declare. */
function nameOf({ fileNameRaw, extraFields }: Entry): string {
  let name: string;
  try {
    name = UTF8.decode(fileNameRaw);
  } catch (error) {
    throw refused('has a name that is no UTF-8.', shown(fileNameRaw.toString('latin1')), error);
  }
  const second = extraFields.find(({ id }) => id === UNICODE_PATH)?.data.subarray(5);
  if (second !== undefined && !second.equals(fileNameRaw)) throw refused('has two names.', name);
  return name;
}
