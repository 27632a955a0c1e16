import { readFile } from 'node:fs/promises';
import { absolutePath } from '../../config/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { PlainReference } from '../../operations/index.ts';
import { unreadable } from '../../operations/text/unreadable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Looked at where no --key is given. */
export const DEFAULT_KEY: PlainReference = Object.freeze({ env: 'TOOLCRIB_API_KEY' });

/** The key by reference, with what to call the place in messages; never kept anywhere but in memory. */
export interface RemoteKey {
  /** Absent: nothing stands there, and nothing asked for it by name. */
  readonly value?: string;
  /** `TOOLCRIB_API_KEY`, or the file. */
  readonly place: string;
}

/** What to do where the key is missing or refused. */
export function keyWanted(place: string): string {
  return `Put an API key of the gateway into ${place}; its admin makes one by \`toolcrib admin key add\`. --key names another variable or file.`;
}

/** Throws `credentials_missing` when a key was named that is not there. */
export async function remoteKey(
  reference: PlainReference | undefined,
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): Promise<RemoteKey> {
  const named = reference ?? DEFAULT_KEY;
  if (typeof named === 'string') throw new ToolcribError('usage', 'A key is named by env:NAME or file:PATH.');
  const place = 'env' in named ? named.env : named.file;
  const text = 'env' in named ? env[named.env] : await fileText(absolutePath(named.file, cwd, env));
  const value = text?.trim() ?? '';
  if (value !== '') {
    if (/^[\x21-\x7e]+$/.test(value)) return { value, place };
    throw new ToolcribError('credentials_missing', `What stands in ${place} is no API key.`, {
      next: keyWanted(place),
    });
  }
  if (reference === undefined) return { place };
  throw new ToolcribError('credentials_missing', `There is no API key in ${place}.`, {
    next: keyWanted(place),
  });
}

async function fileText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ToolcribError('credentials_missing', `The key file cannot be read: ${unreadable(error)}.`, {
      location: path,
      cause: error,
      next: keyWanted(path),
    });
  }
}
