import type { JWTPayload } from 'jose';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import { usualKeySetUrl } from '../../operations/key-set.ts';
import { createIssuerKeys, type DiscoverKeys, type FetchKeys } from './issuer-keys.ts';
import { signedPayload } from './token-signature.ts';

/** Where sign-in tokens come from (RFC 7519, RFC 7517) and which claims say who signed in. */
export interface SignInSettings {
  readonly issuer: string;
  /** A token names one of them. */
  readonly audience: readonly string[];
  /** Absent: where the issuer says, else `.well-known/jwks.json` below it. */
  readonly jwksUrl?: string;
  readonly claims: { readonly user: string; readonly organisation: string; readonly roles: string };
  /**
   * How long to wait, after the keys were fetched, before an unknown key id fetches them again; default 30 s. After a
   * failure the same at most, by default 1 s.
   */
  readonly cooldownMs?: number;
}

/** What a valid token says. */
export interface SignIn {
  readonly subject: string;
  readonly organisation: string | undefined;
  readonly roles: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What an ID token must say beside who signed in. */
export interface AskedIdToken {
  /** Of the client that asked for it. */
  readonly clientId: string;
  readonly nonce: string;
  /** So long ago the person may have shown who it is, seconds; undefined: whenever. */
  readonly maxAge?: number | undefined;
}

export interface SignInTokens {
  /** Throws `unauthorized`; `upstream_unreachable` when the issuer's keys cannot be had. */
  verify(token: string, signal: AbortSignal): Promise<SignIn>;
  /** An ID token that this very sign-in was answered with (OpenID Connect Core 1.0 §3.1.3.7). Throws as `verify` does. */
  verifyIdToken(token: string, asked: AskedIdToken, signal: AbortSignal): Promise<SignIn>;
}

/** The last moment that a `Date` tells (ECMA-262 §21.4.1.1). */
const LATEST = 8.64e15;

/** Public-key signatures only: with a shared secret whoever can check a token could also make one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const COOLDOWN_MS = 30_000;
const FETCH_MS = 5_000;
/** What clocks may differ by, seconds. */
const TOLERANCE_S = 5;
const MOST_ROLES = 100;

/** How the issuer's keys are had. */
export interface KeyAccess {
  readonly fetch: FetchKeys;
  /** Absent: the issuer is not asked where they are. */
  readonly discover?: DiscoverKeys;
}

export function createSignInTokens(
  settings: SignInSettings,
  { fetch, discover }: KeyAccess,
  now: () => number = Date.now,
): SignInTokens {
  let loaded: Promise<typeof import('jose')> | undefined;
  let keys: ReturnType<typeof import('jose').createRemoteJWKSet> | undefined;
  const { issuer, jwksUrl } = settings;
  const usualUrl = usualKeySetUrl(issuer);
  const urlOf = async (signal: AbortSignal) => jwksUrl ?? (await discover?.(issuer, signal)) ?? usualUrl;
  const keySet = createIssuerKeys(fetch, urlOf, settings.cooldownMs);
  const payloadOf = async (token: string, audience: readonly string[], signal: AbortSignal) => {
    loaded ??= import('jose');
    const jose = await loaded;
    keys ??= jose.createRemoteJWKSet(new URL(jwksUrl ?? usualUrl), {
      cooldownDuration: settings.cooldownMs ?? COOLDOWN_MS,
      timeoutDuration: FETCH_MS,
      // one fetch serves everybody who waits: it ends by its own time, not with one caller
      [jose.customFetch]: async (_url, options) => new Response(await keySet.read(options.signal)),
    });
    signal.throwIfAborted();
    const options = {
      issuer,
      audience: [...audience],
      algorithms: ALGORITHMS,
      requiredClaims: ['exp'],
      clockTolerance: TOLERANCE_S,
      currentDate: new Date(now()),
    };
    try {
      return await signedPayload(jose, token, keys, options);
    } catch (error) {
      const failure = keySet.failure();
      if (failure === undefined || !isOfKey(error)) throw error;
      // it may be a new one: to its token there is no verdict
      throw failure;
    }
  };
  return {
    async verify(token, signal) {
      try {
        return signInOf(await payloadOf(token, settings.audience, signal), settings);
      } catch (error) {
        throw tokenError(error, issuer);
      }
    },
    async verifyIdToken(token, asked, signal) {
      try {
        const payload = await payloadOf(token, [asked.clientId], signal);
        checkAsked(payload, asked, settings.audience, now());
        return signInOf(payload, settings);
      } catch (error) {
        throw tokenError(error, issuer);
      }
    },
  };
}

/** OpenID Connect Core 1.0 §3.1.3.7: for this client alone, for this sign-in, and of somebody who was there. */
function checkAsked(
  { aud, azp, nonce, auth_time: shownAt }: JWTPayload,
  asked: AskedIdToken,
  ours: readonly string[],
  now: number,
): void {
  const isForOthers = [aud ?? []].flat().some((one) => one !== asked.clientId && !ours.includes(one));
  if (azp === undefined ? isForOthers : azp !== asked.clientId) {
    throw new ToolcribError('unauthorized', 'The sign-in token was issued to another client.');
  }
  if (nonce !== asked.nonce) {
    throw new ToolcribError('unauthorized', 'The sign-in token is of another sign-in.');
  }
  const { maxAge } = asked;
  if (maxAge === undefined) return;
  if (typeof shownAt !== 'number') {
    throw new ToolcribError(
      'unauthorized',
      'The sign-in token does not say when its person signed in (auth_time).',
    );
  }
  if (now / 1000 - shownAt > maxAge + TOLERANCE_S) {
    throw new ToolcribError(
      'unauthorized',
      `Its person signed in at the provider more than ${maxAge} s ago.`,
    );
  }
}

function signInOf(payload: JWTPayload, { claims }: SignInSettings): SignIn {
  const subject = payload[claims.user];
  if (typeof subject !== 'string' || subject === '') {
    throw new ToolcribError('unauthorized', `The sign-in token has no claim "${claims.user}".`);
  }
  const organisation = payload[claims.organisation];
  if (organisation !== undefined && (typeof organisation !== 'string' || organisation === '')) {
    throw new ToolcribError(
      'unauthorized',
      `The claim "${claims.organisation}" of the sign-in token is no text.`,
    );
  }
  return {
    subject,
    organisation,
    roles: rolesOf(payload[claims.roles]),
    expiresAt: Math.min((payload.exp! + TOLERANCE_S) * 1000, LATEST),
  };
}

/** A list of names; anything else gives no role. */
function rolesOf(claim: unknown): readonly string[] {
  if (!Array.isArray(claim) || claim.length > MOST_ROLES) return [];
  const names = claim.filter((name) => typeof name === 'string' && name !== '' && name.length <= 128);
  return names.length === claim.length ? names : [];
}

const REASONS: Readonly<Record<string, string>> = Object.freeze({
  ERR_JWT_EXPIRED: 'has expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'is not for this gateway, or not yet or no longer valid',
  ERR_JWKS_NO_MATCHING_KEY: 'was signed with a key that its issuer does not publish',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'has a wrong signature',
});
const SIGN_IN_AGAIN =
  'Sign in again. Where that changes nothing, an admin compares `iss` and `aud` of the token with `auth.jwt`.';
/** Everything else of the library's own errors is about the token; these are about the keys. */
const KEY_ERRORS: ReadonlySet<unknown> = new Set([
  'ERR_JWKS_TIMEOUT',
  'ERR_JWKS_INVALID',
  'ERR_JOSE_GENERIC',
]);

function isOfKey(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ERR_JWKS_NO_MATCHING_KEY' || code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';
}

function tokenError(error: unknown, issuer: string): ToolcribError {
  if (isToolcribError(error) && error.code === 'unauthorized') return error;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && /^ERR_J/.test(code) && !KEY_ERRORS.has(code)) {
    const { claim } = error as { claim?: unknown };
    const place = ['aud', 'exp', 'iat', 'iss', 'nbf'].includes(String(claim)) ? ` (its "${claim}")` : '';
    const reason = code === 'ERR_JWT_EXPIRED' ? '' : place;
    return new ToolcribError(
      'unauthorized',
      `The sign-in token ${REASONS[code] ?? 'is not valid'}${reason}.`,
      { cause: error, next: SIGN_IN_AGAIN },
    );
  }
  return new ToolcribError('upstream_unreachable', `The sign-in keys of ${issuer} cannot be read.`, {
    cause: error,
  });
}
