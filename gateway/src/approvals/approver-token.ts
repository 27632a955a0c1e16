import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { secretFile } from '../files/secret-file.ts';
import { secretUnusable } from '../files/secret-unusable.ts';

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
  const { read, readOrMake } = secretFile(file, {
    fits: (text) => SHAPE.test(text),
    make: () => `${PREFIX}${randomBytes(32).toString('base64url')}`,
    failure: (cause) =>
      secretUnusable('The approver token cannot be read or made.', {
        location: file,
        cause,
        next: 'Check `approver-token` in the state directory; remove it to have a new one made.',
      }),
  });
  return {
    current: read,
    value: readOrMake,
    async isToken(bearer) {
      const token = await read();
      return token !== undefined && timingSafeEqual(digest(bearer), digest(token));
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
