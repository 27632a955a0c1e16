import { createHash } from 'node:crypto';
import { trimEndsOf } from '../operations/text/trim-runs.ts';

/** Model APIs accept `^[A-Za-z0-9_-]{1,64}$`. */
export const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;

/** What a name is made from; `identity` tells apart what the rest cannot. */
export interface NameRequest {
  /** The name the source prefers, e.g. the operationId. */
  readonly preferred: string;
  /** Unique in the source and independent of other operations. */
  readonly identity: string;
}

/**
 * Tool names in the order of the requests. A name that fits as it stands wins it; among names that only become
 * equal by sanitising, the first keeps it; every other, and everything cut to 64 characters, carries a hash of
 * its identity, so that it does not depend on what else is there.
 */
export function assignNames(requests: readonly NameRequest[], prefix: string | undefined): string[] {
  const wanted = requests.map((request) =>
    fit(withPrefix(prefix, sanitise(request.preferred)), request.identity),
  );
  const owner = new Map<string, number>();
  for (const exact of [true, false]) {
    for (const [index, name] of wanted.entries()) {
      const unaltered = name === withPrefix(prefix, requests[index]!.preferred);
      if (unaltered === exact && !owner.has(name)) owner.set(name, index);
    }
  }
  return wanted.map((name, index) => {
    if (owner.get(name) === index) return name;
    return claim(name, requests[index]!.identity, owner, index);
  });
}

/** Letters, digits, `_` and `-`; everything else becomes `_`, runs folded, ends trimmed. */
function sanitise(name: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(name)) return name;
  const letters = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const plain = trimEndsOf(letters.replace(/[^A-Za-z0-9_-]+/g, '_'), '_');
  return plain === '' ? 'operation' : plain;
}

function withPrefix(prefix: string | undefined, name: string): string {
  return prefix === undefined || prefix === '' ? name : `${prefix}_${name}`;
}

function fit(name: string, identity: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : withHash(name, identity);
}

function withHash(name: string, identity: string, round = 0): string {
  const hash = createHash('sha256').update(round === 0 ? identity : `${identity} ${round}`);
  const kept = withoutMiddle(name, MAX_NAME_LENGTH - HASH_LENGTH - 1);
  return `${kept}_${hash.digest('hex').slice(0, HASH_LENGTH)}`;
}

/** Both ends, cut between words: of long names the end says what is done (`…_approve`, `…_decline`). */
function withoutMiddle(name: string, length: number): string {
  if (name.length <= length) return name;
  const half = Math.floor((length - 1) / 2);
  const head = name.slice(0, length - 1 - half);
  const tail = name.slice(-half);
  const first = head.slice(
    0,
    betweenWords(head).findLast((at) => at > half / 2),
  );
  const last = tail.slice(betweenWords(tail).find((at) => at < half / 2));
  return `${trimEndsOf(first, '_')}_${last}`;
}

/** Where a word ends and another begins: at `_` and `-`, and before a capital. */
function betweenWords(text: string): number[] {
  return [...text.matchAll(/(?<=[_-])(?![_-])|(?<=[a-z0-9])(?=[A-Z])/g)].map((match) => match.index);
}

function claim(name: string, identity: string, owner: Map<string, number>, index: number): string {
  for (let round = 0; ; round++) {
    const candidate = withHash(name, identity, round);
    if (!owner.has(candidate)) {
      owner.set(candidate, index);
      return candidate;
    }
  }
}
