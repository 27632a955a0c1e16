export interface PathRequest {
  /** Absolute URL that the request must stay under. */
  readonly base: string;
  /** What the caller asked for: a path below the base, or an absolute URL. */
  readonly path: string;
  /** Path prefixes below the base, in whole segments, e.g. `/users`; beginning with a segment `**`: anywhere. */
  readonly blocklist: readonly string[];
}

export type PathVerdict = { readonly allow: true } | { readonly allow: false; readonly reason: string };

/** Longer request targets no service takes (RFC 9112 §3 asks for 8,000 octets); each is unfolded many times. */
const LONGEST_PATH = 16_384;

/**
 * Whether a freely chosen path may be requested. It is read in several ways, and all of them must be free: as it goes
 * over the wire (WHATWG URL), and as the most lenient server could take it, with or without a format behind the last
 * name. A path that climbs above the base is refused even when it comes back.
 */
export function checkPath({ base, path, blocklist }: PathRequest): PathVerdict {
  const root = URL.parse(base);
  if (root === null) return refuse('the base is no absolute URL');
  const below = belowBase(path, root);
  if (below === undefined) return refuse('it leaves the origin or the base path');
  if (below.length > LONGEST_PATH) return refuse('it is too long');
  const lenient = readLeniently(below);
  const readings = [lenient, readAsSent(below), lenient && withoutFormat(lenient)];
  const patterns = blocklist.map((entry) => ({ entry, segments: readLeniently(entry) }));
  for (const segments of readings) {
    if (segments === undefined) return refuse('it leaves the base path or cannot be decoded');
    for (const pattern of patterns) {
      if (pattern.segments === undefined)
        return refuse(`the blocklist entry ${pattern.entry} cannot be read`);
      if (isBelow(segments, pattern.segments)) return refuse(`${pattern.entry} is on the blocklist`);
    }
  }
  return { allow: true };
}

/** The requested path below the base, still encoded, without query and fragment. */
function belowBase(path: string, root: URL): string | undefined {
  // The URL parser drops these before it looks at anything else (WHATWG URL, basic URL parser).
  const text = path.replace(/[\t\r\n]/g, '').replace(/^[\0- ]+/, '');
  if (!isAbsolute(text)) return namesOtherHost(text) ? undefined : text.replace(/[?#].*$/s, '');
  const url = URL.parse(text);
  if (url === null || url.origin === 'null' || url.origin !== root.origin) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const prefix = root.pathname.replace(/\/+$/, '');
  return `${url.pathname}/`.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : undefined;
}

/** `items:batch` is a path; `https:items` and `x://items` are not. */
function isAbsolute(text: string): boolean {
  return (
    /^(?:https?|wss?|ftp|file|data|blob|javascript):/i.test(text) || /^[a-z][a-z0-9+.-]*:[/\\]{2}/i.test(text)
  );
}

/** A network-path reference (RFC 3986 §4.2); a doubled slash before an ordinary name is only a doubled slash. */
function namesOtherHost(text: string): boolean {
  return /^[/\\]{2}[^/\\?#]*[.:@]/.test(text) && !/^[/\\]+\.{1,2}(?:[/\\?#]|$)/.test(text);
}

/** Every escape, look-alike and suffix undone before dot segments are resolved; undefined when not possible. */
function readLeniently(path: string): string[] | undefined {
  const names = fold(path)?.split(/[/\\]/).map(bareName);
  return names && resolveDots(names.filter((name) => name !== ''));
}

/** Dot segments resolved as a URL parser does, where `..;x` and an empty segment are names; then folded. */
function readAsSent(path: string): string[] | undefined {
  const sent = path.replace(/^[/\\]/, '').split(/[/\\]/);
  const resolved = resolveDots(sent.map((segment) => segment.replace(/%2e/gi, '.')));
  const names = resolved && fold(resolved.join('/'))?.split(/[/\\]/).map(bareName);
  return names?.filter((name) => name !== '');
}

/** `.` and `..` carried out; undefined when that leads above the start. */
function resolveDots(segments: readonly string[]): string[] | undefined {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') {
      if (resolved.pop() === undefined) return undefined;
    } else if (segment !== '.') {
      resolved.push(segment);
    }
  }
  return resolved;
}

/** Without matrix parameters, query, fragment, NUL and what follows, and trailing dots and white space. */
function bareName(segment: string): string {
  const name = segment.replace(/[;?#\0].*$/s, '').trimEnd();
  if (name === '.' || name === '..') return name;
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name[end - 1]!)) end--;
  return name.slice(0, end);
}

const FORMAT = /\.(?:json|xml|html?|js|csv|ya?ml|txt|rss|atom)$/;

/** Frameworks take `/users.json` for `/users`. Names are in lower case. */
function withoutFormat(names: readonly string[]): string[] {
  const last = names.at(-1);
  return last === undefined ? [] : [...names.slice(0, -1), last.replace(FORMAT, '')];
}

/** Percent escapes, compatibility forms and case undone until nothing changes; undefined if not UTF-8. */
function fold(path: string): string | undefined {
  let text = path;
  for (let round = 0; round < 50; round++) {
    const decoded = decodeOnce(text)?.normalize('NFKC').toLowerCase();
    if (decoded === undefined || decoded === text) return decoded;
    text = decoded;
  }
  return undefined;
}

function decodeOnce(text: string): string | undefined {
  if (!text.isWellFormed()) return undefined;
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeURIComponent(escapes));
  } catch {
    return undefined;
  }
}

/** From the start, or, where the entry begins with `**`, anywhere. */
function isBelow(segments: readonly string[], entry: readonly string[]): boolean {
  const anywhere = entry[0] === '**';
  const prefix = anywhere ? entry.slice(1) : entry;
  const last = anywhere ? segments.length - prefix.length : 0;
  for (let start = 0; start <= last; start++) {
    if (prefix.every((segment, index) => segments[start + index] === segment)) return true;
  }
  return false;
}

function refuse(reason: string): PathVerdict {
  return { allow: false, reason: `The path is refused: ${reason}.` };
}
