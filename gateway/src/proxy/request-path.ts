import {
  foldName,
  LONGEST_PATH,
  lenientNames,
  resolveDots,
  withoutFormat,
} from '../operations/http/path-names.ts';
import { trimEndOf } from '../operations/text/trim-runs.ts';

/** A path that somebody chose, in the two ways in which it can be taken. */
export interface ReadPath {
  /** Segments as they go on the wire, still encoded, dot segments carried out, empty ones left out. */
  readonly sent: readonly string[];
  /** The same segments as names to compare: every escape, look-alike and letter case undone. */
  readonly names: readonly string[];
  /** Names as the most lenient server could cut them: an encoded slash divides, a `;` suffix falls away. */
  readonly lenient: readonly string[];
  /** The lenient names without a format behind the last: frameworks take `/users.json` for `/users`. */
  readonly formatless: readonly string[];
  /** Pairs of the query that stood in the path. */
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
}

/**
 * Reads a path below `base`, or an absolute URL under it. Undefined when it cannot be decoded, leaves the base,
 * or names nothing that a request could carry. The blocklist is looked at elsewhere, on the same text.
 */
export function readPath(path: string, base: string): ReadPath | undefined {
  if (path.length > LONGEST_PATH) return undefined;
  const text = path.replace(/[\t\r\n]/g, '').replace(/^[\0- ]+/, '');
  const below = /^[a-z][a-z0-9+.-]*:[/\\]{2}/i.test(text) ? belowBase(text, base) : text;
  if (below === undefined) return undefined;
  const [, plain = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/s.exec(below) ?? [];
  const sent = resolveDots(plain.split(/[/\\]/).filter((segment) => segment !== ''));
  const names = sent?.map(foldName);
  const lenient = lenientNames(plain);
  if (sent === undefined || names === undefined || lenient === undefined) return undefined;
  if (names.some((name) => name === undefined)) return undefined;
  return {
    sent,
    names: names as string[],
    lenient,
    formatless: withoutFormat(lenient),
    query: [...new URLSearchParams(query)],
  };
}

function belowBase(text: string, base: string): string | undefined {
  const url = URL.parse(text);
  const root = URL.parse(base);
  if (url === null || root === null || url.origin !== root.origin) return undefined;
  const prefix = trimEndOf(root.pathname, '/');
  if (!`${url.pathname}/`.startsWith(`${prefix}/`)) return undefined;
  return url.pathname.slice(prefix.length) + url.search;
}
