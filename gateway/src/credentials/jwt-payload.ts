import { isObject, type JsonObject } from '../operations/index.ts';

/** Of what a Date holds. */
const LAST_SECOND = 8_640_000_000_000;

/** The claims of a JWT (RFC 7519 §7.2) as they are written, not verified; undefined for anything else. */
export function jwtPayload(token: string): JsonObject | undefined {
  const [, payload, ...rest] = token.split('.');
  if (payload === undefined || rest.length !== 1) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** `exp` in milliseconds since the epoch, where it is one. */
export function expiryOf({ exp }: JsonObject): number | undefined {
  return typeof exp === 'number' && Math.abs(exp) <= LAST_SECOND ? exp * 1000 : undefined;
}
