import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolcribError } from '../errors.ts';
import { makeFolder } from '../files/make-folder.ts';

const PREFIX = 'tca_';
const SHAPE = /^tca_[A-Za-z0-9_-]{43}$/;

/** The credential with which the owner of this machine decides over HTTP; no client that calls tools has it. */
export interface ApproverToken {
  /** Reads it, or makes it in a file for its owner only. Throws `store_unavailable`. */
  value(): Promise<string>;
  /** As it is now; undefined where nobody has made one yet. Throws `store_unavailable`. */
  current(): Promise<string | undefined>;
  /** Compared in constant time; false where nobody has made one yet. */
  isToken(bearer: string): Promise<boolean>;
}

/** `approver-token` in the state directory. */
export function createApproverToken(stateDirectory: string): ApproverToken {
  const file = join(stateDirectory, 'approver-token');
  const read = async (): Promise<string | undefined> => {
    try {
      const text = (await readFile(file, 'utf8')).trim();
      return SHAPE.test(text) ? text : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unreadable(file, error);
    }
  };
  return {
    current: read,
    async value() {
      const known = await read();
      if (known !== undefined) return known;
      try {
        await make(file);
      } catch (error) {
        // another process was first
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unreadable(file, error);
      }
      const made = await read();
      if (made === undefined) throw unreadable(file, undefined);
      return made;
    },
    async isToken(bearer) {
      const token = await read();
      return token !== undefined && timingSafeEqual(digest(bearer), digest(token));
    },
  };
}

/** Whole or not at all. Throws EEXIST. */
async function make(file: string): Promise<void> {
  await makeFolder(dirname(file));
  const whole = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(whole, `${PREFIX}${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    await link(whole, file);
  } finally {
    await rm(whole, { force: true });
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function unreadable(file: string, cause: unknown): ToolcribError {
  return new ToolcribError('store_unavailable', 'The approver token cannot be read or made.', {
    location: file,
    cause,
    next: 'Check the file; remove it to have a new one made.',
  });
}
