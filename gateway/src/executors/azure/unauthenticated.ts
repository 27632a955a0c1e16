import { isObject, type Json } from '../../operations/index.ts';
import { parseExact } from './exact-json.ts';
import type { ConnectorAnswer } from './read-answer.ts';

/** Resource Manager refuses the gateway, not the connection: signing the connection in again changes nothing. */
const OF_THE_GATEWAY: ReadonlySet<string> = new Set([
  'authorizationfailed',
  'authenticationfailed',
  'authenticationfailedmissingtoken',
  'authenticationfailedinvalidheader',
  'invalidauthenticationtoken',
  'invalidauthenticationtokentenant',
  'invalidauthenticationtokenaudience',
  'expiredauthenticationtoken',
  'linkedauthorizationfailed',
]);

/**
 * True where the answer says that nobody is signed in at the connection: its code `Unauthenticated`, or any refusal
 * (401, 403) while Resource Manager holds it for not connected. `status`: what it said last.
 */
export function isUnauthenticated(answer: ConnectorAnswer, status: string | undefined): boolean {
  if (answer.status !== 401 && answer.status !== 403) return false;
  const codes = codesOf(parseExact(Buffer.from(answer.body).toString()), 0);
  if (codes.includes('unauthenticated')) return true;
  if (answer.own && codes.some((code) => OF_THE_GATEWAY.has(code))) return false;
  return status !== undefined && status !== 'Connected';
}

const PLACES = ['error', 'innerError', 'innererror'] as const;

/** Codes of an error body, its inner errors included, in lower case. */
function codesOf(body: Json | undefined, depth: number): string[] {
  if (!isObject(body) || depth > 4) return [];
  const own = typeof body['code'] === 'string' ? [body['code'].toLowerCase()] : [];
  return [...own, ...PLACES.flatMap((place) => codesOf(body[place], depth + 1))];
}
