import { createHash } from 'node:crypto';

/** What providers take as the name of a function. */
const TAKEN = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

export function isWireName(name: string): boolean {
  return TAKEN.test(name);
}

/** A name that providers take, made of one that they do not: the same each time, and none of `used`. */
export function madeWireName(name: string, used: ReadonlySet<string>): string {
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  for (let attempt = 0; ; attempt++) {
    const hash = createHash('sha256').update(`${attempt}:${name}`).digest('hex').slice(0, HASH_LENGTH);
    const made = `${readable}_${hash}`;
    if (!used.has(made)) return made;
  }
}
