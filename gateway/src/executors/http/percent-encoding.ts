const UNRESERVED = /^[A-Za-z0-9\-._~]*$/;
const LEFT_BY_ENGINE = /[!'()*]/g;

/** Everything but RFC 3986 §2.3 unreserved characters as UTF-8 percent triplets. Throws URIError on a lone surrogate. */
export function encodeStrict(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text).replace(LEFT_BY_ENGINE, triplet);
}

/** The same for a path of several segments: slashes stay. */
export function encodeSegments(text: string): string {
  return text.split('/').map(encodeStrict).join('/');
}

/** What stands between items: a comma as it is, other separators as triplets. */
export function encodeDelimiter(delimiter: string): string {
  return delimiter === ',' ? delimiter : encodeStrict(delimiter);
}

// Each matches what may not stand raw; a triplet passes, a lone `%` does not (RFC 6570 §3.2.3).
const NOT_IN_SEGMENT = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@%]/gu;
const NOT_IN_PATH = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]/gu;
const NOT_IN_QUERY_VALUE = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$'()*,;=:@%/?]/gu;
const NOT_IN_COOKIE_VALUE = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+=:@%/?#[\]]/gu;
const NOT_IN_QUERY = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$'()*,;=:@%/?&+]/gu;

/** Reserved expansion within one path segment: `pchar` of RFC 3986 §3.3 stays. */
export const encodeReservedSegment = (text: string): string => text.replace(NOT_IN_SEGMENT, encodeStrict);
/** The same with slashes kept: `{+name}`, and the literal parts of a template. */
export const encodeReservedPath = (text: string): string => text.replace(NOT_IN_PATH, encodeStrict);
/** OpenAPI `allowReserved`: `#`, `[`, `]` are no query characters, and a raw `&` or `+` would change what the query says. */
export const encodeReservedQuery = (text: string): string => text.replace(NOT_IN_QUERY_VALUE, encodeStrict);
/** The name beside such a value: an `=` in it would end it. */
export const encodeReservedName = (text: string): string => encodeReservedQuery(text).replaceAll('=', '%3D');
/** OpenAPI `allowReserved` in a cookie: `,` and `;` are none of its characters (RFC 6265 §4.1.1). */
export const encodeReservedCookie = (text: string): string => text.replace(NOT_IN_COOKIE_VALUE, encodeStrict);
/** A ready-made query string: its separators stay. */
export const encodeQueryString = (text: string): string => text.replace(NOT_IN_QUERY, encodeStrict);

const ASCII_TRIPLET = /^%[0-7][0-9A-Fa-f]$/;

/**
 * ASCII triplets undone until none is left: what a server that decodes more than once would see. One pass, however
 * deep they are nested: what a triplet leaves may end another that began before it, and nothing else.
 */
export function decodedFully(text: string): string {
  if (!text.includes('%')) return text;
  const decoded: string[] = [];
  for (const character of text) {
    decoded.push(character);
    while (decoded.length > 2 && decoded.at(-3) === '%') {
      const last = decoded.slice(-3).join('');
      if (!ASCII_TRIPLET.test(last)) break;
      decoded.splice(-3, 3, String.fromCharCode(Number.parseInt(last.slice(1), 16)));
    }
  }
  return decoded.join('');
}

function triplet(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
