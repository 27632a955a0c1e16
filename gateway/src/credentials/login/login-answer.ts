import { isObject, type LoginToken, parsePointer, valueAt } from '../../operations/index.ts';
import { expiryOf, jwtPayload } from '../jwt-payload.ts';
import type { ProviderAnswer } from '../provider-request.ts';
import { lifetimeSeconds } from '../token-lifetime.ts';

/** Where a token stands where nobody says: RFC 6749 §5.1, and what services without OAuth call it. */
export const USUAL_PLACES = ['/access_token', '/accessToken', '/token'] as const;

export interface LoginGrant {
  readonly token: string;
  /** Milliseconds; absent: nobody says. */
  readonly lifetimeMs?: number;
}

/** What an answer to a login gives, `now` in milliseconds since the epoch; undefined: no token is in it. */
export function loginGrant(
  answer: ProviderAnswer,
  place: LoginToken | undefined,
  now: number,
): LoginGrant | undefined {
  const token = tokenIn(answer, place, now);
  if (token === undefined) return undefined;
  const lifetimeMs = saidBeside(answer, place) ?? saidWithin(token, now);
  return { token, ...(lifetimeMs === undefined ? {} : { lifetimeMs }) };
}

function tokenIn(answer: ProviderAnswer, place: LoginToken | undefined, now: number): string | undefined {
  if (place === undefined)
    return USUAL_PLACES.map((one) => textAt(answer, one)).find((one) => one !== undefined);
  if (typeof place === 'string') return textAt(answer, place);
  if ('cookie' in place) return cookieIn(answer.cookies, place.cookie, now);
  return answer.headers[place.header.toLowerCase()]?.trim() || undefined;
}

/** The empty pointer: the whole body, a JSON string or plain text. */
function textAt({ json, body }: ProviderAnswer, pointer: string): string | undefined {
  if (pointer === '') return wholeText(Buffer.from(body).toString('utf8').trim());
  const found = valueAt(json, parsePointer(pointer) ?? []);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function wholeText(text: string): string | undefined {
  if (!text.startsWith('"')) return /[\s<{[]/.test(text) ? undefined : text || undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 6265 §5.2; one that is to be removed is none. */
function cookieIn(cookies: readonly string[], name: string, now: number): string | undefined {
  const lines = cookies.map((line) => line.split(';').map((part) => part.trim()));
  const [pair = '', ...attributes] =
    lines.findLast(([first = '']) => first.split('=', 1)[0]?.trim() === name) ?? [];
  if (isRemoved(attributes, now)) return undefined;
  return pair.slice(pair.indexOf('=') + 1).trim() || undefined;
}

/** By `Max-Age`, else by `Expires` (RFC 6265 §5.3): PHP and others write `sid=deleted` beside them. */
function isRemoved(attributes: readonly string[], now: number): boolean {
  const said = (form: RegExp) => attributes.map((one) => form.exec(one)?.[1]).findLast((one) => one);
  const seconds = said(/^max-age\s*=\s*(-?\d+)$/i);
  if (seconds !== undefined) return Number(seconds) <= 0;
  return Date.parse(said(/^expires\s*=\s*(.+)$/i) ?? '') <= now;
}

/** `expires_in` beside the token (RFC 6749 §5.1). */
function saidBeside({ json }: ProviderAnswer, place: LoginToken | undefined): number | undefined {
  if (typeof place === 'object') return undefined;
  const parent = valueAt(json, (parsePointer(place ?? '/') ?? []).slice(0, -1));
  const seconds = isObject(parent) ? lifetimeSeconds(parent['expires_in']) : undefined;
  return seconds === undefined ? undefined : seconds * 1000;
}

/** `exp` of a token that is a JWT. */
function saidWithin(token: string, now: number): number | undefined {
  const expiresAt = expiryOf(jwtPayload(token) ?? {});
  return expiresAt === undefined ? undefined : Math.max(0, expiresAt - now);
}
