import { remember } from '../work/remember.ts';

/** A document's path key in its parts: AWS and Flickr write query strings and fragments into theirs. */
export interface PathKey {
  /** Template of the path alone. */
  readonly path: string;
  /** `name=value` pairs of the key, raw; without `=` the value is undefined. They are part of the operation's identity. */
  readonly query: ReadonlyArray<readonly [name: string, value: string | undefined]>;
}

/**
 * `/rest?method=x` and `/#Action=X` name query parameters. A fragment without `=` (`/files#add`) only tells
 * operations apart and never goes on the wire. `?`, `#` inside a placeholder are RFC 6570 operators.
 */
export const parsePathKey = remember(1000, (key): PathKey => {
  const mark = endOfPath(key);
  if (mark < 0) return { path: key, query: [] };
  const rest = key.slice(mark);
  const hash = rest.indexOf('#');
  const query = hash < 0 ? rest : rest.slice(0, hash);
  const pairs = pairsOf(query.slice(1));
  if (hash >= 0) pairs.push(...pairsOf(rest.slice(hash + 1)).filter(([, value]) => value !== undefined));
  return { path: key.slice(0, mark), query: pairs };
});

/** Index of the first `?` or `#` outside braces; -1 when the key is a plain path. */
function endOfPath(key: string): number {
  let depth = 0;
  for (let at = 0; at < key.length; at++) {
    const character = key[at];
    if (character === '{') depth++;
    else if (character === '}') depth = Math.max(0, depth - 1);
    else if (depth === 0 && (character === '?' || character === '#')) return at;
  }
  return -1;
}

function pairsOf(query: string): Array<readonly [string, string | undefined]> {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0 ? [part, undefined] : [part.slice(0, equals), part.slice(equals + 1)];
    });
}
