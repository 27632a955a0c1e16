import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolcribError } from '../../../errors.ts';
import { makeFolder } from '../../../files/make-folder.ts';
import { isSecret, newSecret } from './session-secret.ts';

/**
 * The key in the state directory that sessions of the owner are proven with. Whoever writes the store and not this
 * machine's state directory makes none; without the file, all of them have ended.
 */
export function createMachineKey(stateDirectory: string): () => Promise<string> {
  const file = join(stateDirectory, 'session-key');
  const read = async (): Promise<string | undefined> => {
    try {
      const text = (await readFile(file, 'utf8')).trim();
      if (isSecret(text)) return text;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unusable(file, error);
    }
    throw unusable(file, undefined);
  };
  return async () => {
    const known = await read();
    if (known !== undefined) return known;
    try {
      await make(stateDirectory, file);
    } catch (error) {
      // another process was first
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, error);
    }
    const made = await read();
    if (made === undefined) throw unusable(file, undefined);
    return made;
  };
}

/** Whole or not at all, for its owner only. Throws EEXIST. */
async function make(folder: string, file: string): Promise<void> {
  await makeFolder(folder);
  const whole = `${file}.${newSecret().slice(0, 16)}`;
  try {
    await writeFile(whole, `${newSecret()}\n`, { mode: 0o600, flag: 'wx' });
    await link(whole, file);
  } finally {
    await rm(whole, { force: true });
  }
}

function unusable(file: string, cause: unknown): ToolcribError {
  return new ToolcribError('store_unavailable', 'The key of the owner’s sessions cannot be read or made.', {
    location: file,
    cause,
    next: 'Check the file; remove it to have a new one made, which ends these sessions.',
  });
}
