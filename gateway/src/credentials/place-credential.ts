import type { OutgoingRequest } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';

/** RFC 9110 §5.5: what may stand in a field value; wider text would be refused or mangled on the way. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The header, in place of whatever the arguments put there. `place` names the configuration key in an error. */
export function placeHeader(
  request: OutgoingRequest,
  name: string,
  value: string,
  place: string,
): OutgoingRequest {
  if (!FIELD_VALUE.test(value)) {
    throw new ToolcribError(
      'configuration_invalid',
      `The credential of ${place} has characters that cannot stand in the header ${name}, such as a line break.`,
    );
  }
  const lower = name.toLowerCase();
  return {
    ...request,
    headers: [...request.headers.filter(([other]) => other.toLowerCase() !== lower), [name, value]],
    credentialHeaders: [...new Set([...(request.credentialHeaders ?? []), lower])],
  };
}

/** One cookie of the one Cookie header (RFC 6265 §5.4), in place of one of its name. */
export function placeCookie(
  request: OutgoingRequest,
  name: string,
  value: string,
  place: string,
): OutgoingRequest {
  const others = request.headers
    .filter(([header]) => header.toLowerCase() === 'cookie')
    .flatMap(([, cookies]) => cookies.split(/;\s*/))
    .filter((cookie) => cookie !== '' && cookie.split('=', 1)[0] !== name);
  return placeHeader(request, 'Cookie', [...others, `${name}=${cookieValue(value)}`].join('; '), place);
}

/** RFC 6265 §4.1.1 cookie-octet; the rest is percent-encoded. */
function cookieValue(value: string): string {
  return value.replace(/[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/gu, encodeURIComponent);
}

/** The query parameter, in place of every one of its name; the others keep their bytes. */
export function placeQuery(request: OutgoingRequest, name: string, value: string): OutgoingRequest {
  const [path = '', ...rest] = request.url.split('?');
  const others = rest
    .join('?')
    .split('&')
    .filter((pair) => pair !== '' && decodeName(pair) !== name);
  const query = [...others, `${encodeComponent(name)}=${encodeComponent(value)}`].join('&');
  return { ...request, url: `${path}?${query}` };
}

function decodeName(pair: string): string {
  const name = pair.split('=', 1)[0]!.replaceAll('+', ' ');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** RFC 3986 §2.3: everything but unreserved characters. */
export function encodeComponent(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
