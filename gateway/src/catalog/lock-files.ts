import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolcribError } from '../errors.ts';

/** Text of a file; undefined when there is none. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ToolcribError('source_unreadable', `Cannot read ${file}: ${(error as Error).message}`, {
      location: file,
      cause: error,
    });
  }
}

/** Writes beside the target and renames, so that a reader sees the old or the new bytes, never half. */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(temporary, text, { mode: 0o644 });
  await rename(temporary, file);
}
