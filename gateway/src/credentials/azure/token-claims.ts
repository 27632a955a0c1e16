import { expiryOf, jwtPayload } from '../jwt-payload.ts';

/** What a token of Microsoft Entra ID says of its holder. Read, never verified: the service does that. */
export interface AzureClaims {
  /** `oid`: the user or service principal. */
  readonly objectId?: string;
  /** `tid`. */
  readonly tenantId?: string;
  /** `exp` in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** The claims of a JWT (RFC 7519); empty for anything else. */
export function tokenClaims(token: string): AzureClaims {
  const payload = jwtPayload(token);
  if (payload === undefined) return {};
  const { oid, tid } = payload;
  const expiresAt = expiryOf(payload);
  return {
    ...(typeof oid === 'string' && oid !== '' ? { objectId: oid } : {}),
    ...(typeof tid === 'string' && tid !== '' ? { tenantId: tid } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
