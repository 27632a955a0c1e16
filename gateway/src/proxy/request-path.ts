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

/** Longer request targets no service takes (RFC 9112 §3 asks for 8,000 octets); each is unfolded many times. */
const LONGEST_PATH = 16_384;

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
  const lenient = readLeniently(plain);
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

const FORMAT = /\.(?:json|xml|html?|js|csv|ya?ml|txt|rss|atom)$/;

function withoutFormat(names: readonly string[]): string[] {
  const last = names.at(-1);
  return last === undefined ? [] : [...names.slice(0, -1), last.replace(FORMAT, '')];
}

/** A literal of a path template as a name to compare. */
export function foldName(segment: string): string | undefined {
  let text = segment;
  for (let round = 0; round < 50; round++) {
    const decoded = decodeOnce(text)?.normalize('NFKC').toLowerCase();
    if (decoded === undefined || decoded === text) return decoded;
    text = decoded;
  }
  return undefined;
}

function belowBase(text: string, base: string): string | undefined {
  const url = URL.parse(text);
  const root = URL.parse(base);
  if (url === null || root === null || url.origin !== root.origin) return undefined;
  const prefix = root.pathname.replace(/\/+$/, '');
  if (!`${url.pathname}/`.startsWith(`${prefix}/`)) return undefined;
  return url.pathname.slice(prefix.length) + url.search;
}

function readLeniently(path: string): string[] | undefined {
  const names = foldName(path)?.split(/[/\\]/).map(bareName);
  return names && resolveDots(names.filter((name) => name !== ''));
}

/** `.` and `..` carried out, escaped ones too (WHATWG URL); undefined when that leads above the start. */
function resolveDots(segments: readonly string[]): string[] | undefined {
  const resolved: string[] = [];
  for (const segment of segments) {
    const plain = segment.replace(/%2e/gi, '.');
    if (plain === '..') {
      if (resolved.pop() === undefined) return undefined;
    } else if (plain !== '.') {
      resolved.push(segment);
    }
  }
  return resolved;
}

function bareName(segment: string): string {
  const name = segment.replace(/[;?#\0].*$/s, '').trimEnd();
  if (name === '.' || name === '..') return name;
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name[end - 1]!)) end--;
  return name.slice(0, end);
}

function decodeOnce(text: string): string | undefined {
  if (!text.isWellFormed()) return undefined;
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeURIComponent(escapes));
  } catch {
    return undefined;
  }
}
