import { isDeviceName } from '../../operations/text/device-name.ts';
import { IMPORT_LIMITS } from './import-limits.ts';
import { refused } from './refuse.ts';

/** What cannot stand in a name there, and what hides how a name reads. */
const FORBIDDEN = /[<>:"|?*\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const DRIVE = /^[A-Za-z]:/;

/**
 * The path of an entry, with `/` and without one at its end; empty for the package's own folder. It can be written on
 * every system below a folder and leads nowhere else. Throws `archive_refused` naming the entry.
 */
export function checkEntryPath(written: string): string {
  const refuse = (reason: string) => refused(reason, written);
  if (written.includes('\0')) throw refuse('has a NUL in its name.');
  if (!written.isWellFormed() || written.includes('\ufffd')) throw refuse('has a name that is no UTF-8.');
  if (written.startsWith('/')) throw refuse('is an absolute path.');
  if (written.includes('\\')) throw refuse('has a backslash in its name.');
  if (DRIVE.test(written)) throw refuse('names a drive.');
  const path = written.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
  if (path === '' || path === '.') return '';
  if (path.length > IMPORT_LIMITS.pathLength)
    throw refuse(`is longer than ${IMPORT_LIMITS.pathLength} characters.`);
  const names = path.split('/');
  if (names.length > IMPORT_LIMITS.depth) throw refuse(`lies more than ${IMPORT_LIMITS.depth} folders deep.`);
  for (const name of names) checkName(name, refuse);
  return path;
}

function checkName(name: string, refuse: (reason: string) => Error): void {
  if (name === '..') throw refuse('leads out of the package.');
  if (name === '' || name === '.') throw refuse('has an empty name or "." in its path.');
  if (FORBIDDEN.test(name)) throw refuse('has a character in its name that not every system can write.');
  if (/[. ]$/.test(name)) throw refuse('has a name that ends in a full stop or a space.');
  if (isDeviceName(name)) throw refuse('has the name of a device on Windows.');
  if (Buffer.byteLength(name) > IMPORT_LIMITS.nameBytes)
    throw refuse(`has a name of more than ${IMPORT_LIMITS.nameBytes} bytes.`);
}

/** The same for two names that some file systems take for one. */
export function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '__pycache__',
  '__MACOSX',
  '.DS_Store',
]);

/** Version control and caches: never part of a skill. */
export function isLeftOut(path: string): boolean {
  return path.split('/').some((name) => LEFT_OUT.has(name));
}
