import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolcribError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import { unreadable } from '../operations/text/unreadable.ts';

/** Text of a file; undefined when there is none. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ToolcribError('source_unreadable', `Cannot read ${file}: ${unreadable(error)}.`, {
      location: file,
      cause: error,
    });
  }
}

/**
 * Whole or not at all, where everybody may read unless `mode` says otherwise; a folder that is made is for its owner.
 * Throws `file_unusable`.
 */
export async function writeAtomically(file: string, text: string, mode = 0o644): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await replaceFile(file, text, { mode });
  } catch (error) {
    throw new ToolcribError('file_unusable', `Cannot write ${file}: ${(error as Error).message}.`, {
      location: file,
      cause: error,
    });
  }
}
