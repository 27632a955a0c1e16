import { createHash } from 'node:crypto';
import { UNSAFE_KEYS } from '../json/json.ts';

/** Where an argument goes; also the prefix that tells equal names apart. */
export type ArgumentPlace = 'path' | 'query' | 'querystring' | 'header' | 'cookie' | 'body';

/** What an argument name is made from. */
export interface ArgumentRequest {
  readonly place: ArgumentPlace;
  /** The name on the wire. */
  readonly name: string;
}

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;
const VALID = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * A property name that every client accepts: `^[A-Za-z0-9_.-]{1,64}$`. A valid name stays; otherwise foreign
 * characters become one `_` (`$filter` → `_filter`), and what is too long ends in a hash of the whole.
 */
export function sanitizeArgumentName(name: string): string {
  if (VALID.test(name)) return UNSAFE_KEYS.has(name) ? `${name}_` : name;
  const safe = name
    .replace(/[^A-Za-z0-9_.-]/g, '_')
    .replace(/^[.-]+/, '')
    .replace(/_+/g, '_');
  if (safe === '' || (safe === '_' && name.length > 1)) return withHash('argument', name);
  return safe.length <= MAX_LENGTH ? safe : withHash(safe, name);
}

/**
 * Unique argument names, in the order of the requests: the first keeps its name, a later one is prefixed by its
 * place (`body_id`), and numbered where that is taken too (`body_id_2`). Depends on nothing but the requests.
 */
export function assignArgumentNames(requests: readonly ArgumentRequest[]): string[] {
  const taken = new Set<string>();
  return requests.map(({ place, name }) => {
    const wanted = sanitizeArgumentName(name);
    let free = wanted;
    for (let round = 1; taken.has(free); round++) {
      const suffix = round === 1 ? '' : `_${round}`;
      free = fit(`${place}_${wanted}`, suffix, name);
    }
    taken.add(free);
    return free;
  });
}

function fit(name: string, suffix: string, identity: string): string {
  const whole = name + suffix;
  return whole.length <= MAX_LENGTH ? whole : withHash(name, identity + suffix);
}

function withHash(name: string, identity: string): string {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
