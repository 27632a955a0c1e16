import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

interface SecretFileOptions {
  /** Whether a text can be such a secret; anything else in the file is none. */
  readonly fits: (text: string) => boolean;
  readonly make: () => string;
  /** What is thrown where the file cannot be read or made, or holds something else. */
  readonly failure: (cause: unknown) => Error;
}

/** A secret in a file of its own, for its owner alone; made once, by whichever process is first. */
export interface SecretFile {
  /** As it is now; undefined where there is none. Throws `failure`. */
  read(): Promise<string | undefined>;
  /** Throws `failure`. */
  readOrMake(): Promise<string>;
}

export function secretFile(file: string, { fits, make, failure }: SecretFileOptions): SecretFile {
  const read = async (): Promise<string | undefined> => {
    try {
      const text = (await readFile(file, 'utf8')).trim();
      return fits(text) ? text : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw failure(error);
    }
  };
  return {
    read,
    async readOrMake() {
      const known = await read();
      if (known !== undefined) return known;
      try {
        await writeOnce(file, `${make()}\n`);
      } catch (error) {
        // another process was first
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw failure(error);
      }
      const made = await read();
      if (made === undefined) throw failure(undefined);
      return made;
    },
  };
}

/** Whole or not at all. Throws EEXIST. */
async function writeOnce(file: string, content: string): Promise<void> {
  await makeFolder(dirname(file));
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
