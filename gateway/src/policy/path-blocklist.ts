import { includesCredentials } from '../operations/http/includes-credentials.ts';
import {
  bareName,
  closes,
  foldName,
  LONGEST_PATH,
  lenientNames,
  resolveDots,
  withoutFormat,
} from '../operations/http/path-names.ts';
import { trimEndOf } from '../operations/text/trim-runs.ts';

export interface PathRequest {
  /** Absolute URL that the request must stay under. */
  readonly base: string;
  /** What the caller asked for: a path below the base, or an absolute URL. */
  readonly path: string;
  /** Path prefixes below the base, in whole segments, e.g. `/users`; beginning with a segment `**`: anywhere. */
  readonly blocklist: readonly string[];
}

export type PathVerdict = { readonly allow: true } | { readonly allow: false; readonly reason: string };

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
  const lenient = lenientNames(below);
  const readings = [lenient, readAsSent(below), lenient && withoutFormat(lenient)];
  const patterns = blocklist.map((entry) => ({ entry, segments: lenientNames(entry) }));
  for (const segments of readings) {
    if (segments === undefined) return refuse('it leaves the base path or cannot be decoded');
    for (const pattern of patterns) {
      if (pattern.segments === undefined)
        return refuse(`the blocklist entry ${pattern.entry} cannot be read`);
      if (closes(pattern.segments, segments)) return refuse(`${pattern.entry} is on the blocklist`);
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
  if (includesCredentials(url)) return undefined;
  const prefix = trimEndOf(root.pathname, '/');
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

/** Dot segments resolved as a URL parser does, where `..;x` and an empty segment are names; then folded. */
function readAsSent(path: string): string[] | undefined {
  const sent = path.replace(/^[/\\]/, '').split(/[/\\]/);
  const resolved = resolveDots(sent);
  const names = resolved && foldName(resolved.join('/'))?.split(/[/\\]/).map(bareName);
  return names?.filter((name) => name !== '');
}

function refuse(reason: string): PathVerdict {
  return { allow: false, reason: `The path is refused: ${reason}.` };
}
