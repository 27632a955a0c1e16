import { type ArmAnswer, armError } from './arm-errors.ts';
import { objectOf, textOf } from './json.ts';

/** Whose token it is. Both are empty for a token without readable claims. */
export interface Caller {
  readonly objectId: string;
  readonly tenantId: string;
}

export interface MintOptions {
  /** From now; negative: it has ended already. Default an hour. */
  readonly lifetimeMs?: number;
  /** Default: the double's own tenant. Another one makes it a foreign token. */
  readonly tenantId?: string;
  readonly objectId?: string;
  /** A token without claims, as some endpoints give. */
  readonly opaque?: boolean;
}

export const TENANT = '72f988bf-0000-4000-8000-2d7cd011db47';
const OBJECT = '5b1f6a3e-1111-4222-8333-9c0d1e2f3a4b';

interface Issued extends Caller {
  readonly endsAt: number;
}

/** Tokens that the double gave out, and what it says about all others. */
export class ArmTokens {
  readonly #issued = new Map<string, Issued>();
  readonly #refused = new Set<string>();
  readonly #now: () => number;
  readonly #acceptAny: boolean;
  #count = 0;

  /** `acceptAny`: every token is good, for people who try it by hand. */
  constructor(now: () => number, acceptAny: boolean) {
    this.#now = now;
    this.#acceptAny = acceptAny;
  }

  /** A token that is accepted until it ends; JWT-like, its signature is none. */
  mint({
    lifetimeMs = 3_600_000,
    tenantId = TENANT,
    objectId = OBJECT,
    opaque = false,
  }: MintOptions = {}): string {
    const endsAt = this.#now() + lifetimeMs;
    const issuedAt = Math.floor(Math.min(this.#now(), endsAt) / 1000);
    this.#count += 1;
    const claims = {
      oid: objectId,
      tid: tenantId,
      iat: issuedAt,
      exp: Math.floor(endsAt / 1000),
      jti: this.#count,
    };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = opaque
      ? `opaque-token-${this.#count}`
      : `${part({ typ: 'JWT', alg: 'RS256' })}.${part(claims)}.${part('double')}`;
    this.#issued.set(token, { objectId: opaque ? '' : objectId, tenantId, endsAt });
    return token;
  }

  /** From now on the token is answered as invalid, though it has not ended. */
  refuse(token: string): void {
    this.#refused.add(token);
  }

  /** Who calls, or ARM's answer to a token that is not good. */
  check(authorization: string | undefined): Caller | ArmAnswer {
    if (authorization === undefined)
      return refusal('AuthenticationFailed', "Authentication failed. The 'Authorization' header is missing.");
    const token = /^Bearer (\S+)$/.exec(authorization)?.[1];
    if (token === undefined) return refusal('InvalidAuthenticationToken', 'The access token is invalid.');
    const known = this.#issued.get(token);
    if (this.#refused.has(token))
      return refusal('InvalidAuthenticationToken', 'The access token is invalid.');
    if (known === undefined) {
      if (this.#acceptAny) return claimsOf(token);
      return refusal('InvalidAuthenticationToken', 'The access token is invalid.');
    }
    if (known.endsAt <= this.#now())
      return refusal(
        'ExpiredAuthenticationToken',
        'The access token expiry UTC time is earlier than current UTC time.',
      );
    if (known.tenantId !== TENANT)
      return refusal('InvalidAuthenticationTokenTenant', 'The access token is from the wrong issuer.');
    return known;
  }
}

function refusal(code: string, message: string): ArmAnswer {
  const challenge =
    `Bearer authorization_uri="https://login.windows.net/${TENANT}", error="invalid_token", ` +
    `error_description="${message}"`;
  return armError(401, code, message, { 'www-authenticate': challenge });
}

function claimsOf(token: string): Caller {
  try {
    const claims = objectOf(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
    return { objectId: textOf(claims.oid), tenantId: textOf(claims.tid) };
  } catch {
    return { objectId: '', tenantId: '' };
  }
}
