import { isObject } from '../../operations/index.ts';

/** What a token of Microsoft Entra ID says of its holder. Read, never verified: the service does that. */
export interface AzureClaims {
  /** `oid`: the user or service principal. */
  readonly objectId?: string;
  /** `tid`. */
  readonly tenantId?: string;
  /** `exp` in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** Of what a Date holds. */
const LAST_SECOND = 8_640_000_000_000;

/** The claims of a JWT (RFC 7519); empty for anything else. */
export function tokenClaims(token: string): AzureClaims {
  const payload = payloadOf(token);
  if (!isObject(payload)) return {};
  const { oid, tid, exp } = payload;
  return {
    ...(typeof oid === 'string' && oid !== '' ? { objectId: oid } : {}),
    ...(typeof tid === 'string' && tid !== '' ? { tenantId: tid } : {}),
    ...(typeof exp === 'number' && Math.abs(exp) <= LAST_SECOND ? { expiresAt: exp * 1000 } : {}),
  };
}

function payloadOf(token: string): unknown {
  const [, payload, ...rest] = token.split('.');
  if (payload === undefined || rest.length !== 1) return undefined;
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
