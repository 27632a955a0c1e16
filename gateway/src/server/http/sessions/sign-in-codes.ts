import { readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../files/make-folder.ts';
import { secretUnusable } from '../../../files/secret-unusable.ts';
import { idOf, isSecret, newSecret } from './session-secret.ts';

/** How long a code is good, milliseconds. */
const CODE_MS = 5 * 60_000;

/** Codes by which whoever owns this machine signs in; whoever can write the state directory can make one. */
export interface SignInCodes {
  /** Throws `store_unavailable`. */
  create(): Promise<string>;
  /** True once, within five minutes, whichever process asks. Throws `store_unavailable`. */
  use(code: string): Promise<boolean>;
  /** Whether the code of this hash is one to be used; does not use it. Throws `store_unavailable`. */
  waits(id: string): Promise<boolean>;
}

/** Their hashes in the state directory, a file each, for its owner only. */
export function createSignInCodes(stateDirectory: string, now: () => number = Date.now): SignInCodes {
  const folder = join(stateDirectory, 'sign-in-codes');
  const fileOf = (code: string) => join(folder, idOf(code));
  const endOf = async (file: string) => Number(await readFile(file, 'utf8'));
  return {
    async create() {
      const code = newSecret();
      try {
        await makeFolder(folder);
        await removeExpired(folder, now());
        await writeFile(fileOf(code), String(now() + CODE_MS), { mode: 0o600, flag: 'wx' });
      } catch (error) {
        await rm(fileOf(code), { force: true }).catch(() => undefined);
        throw unusable(folder, error);
      }
      return code;
    },
    async use(code) {
      if (!isSecret(code)) return false;
      try {
        const expiresAt = await endOf(fileOf(code));
        // of several that ask at once, one removes it
        await unlink(fileOf(code));
        return expiresAt > now();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw unusable(folder, error);
      }
    },
    async waits(id) {
      try {
        return (await endOf(join(folder, id))) > now();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw unusable(folder, error);
      }
    },
  };
}

/** Opens the page that signs in with this code, which stands behind `#`: no server is sent it. `gateway`: where a browser reaches it. */
export function signInLink(gateway: string, code: string): string {
  return `${new URL('/sign-in', gateway).href}#code=${code}`;
}

async function removeExpired(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const text = await readFile(file, 'utf8').catch(() => '');
    // an empty one is being written by another process
    if (text !== '' && !(Number(text) > now)) await rm(file, { force: true });
  }
}

function unusable(folder: string, cause: unknown): Error {
  return secretUnusable('Sign-in codes cannot be read or written.', {
    location: folder,
    cause,
    next: 'Check that the state directory can be written.',
  });
}
