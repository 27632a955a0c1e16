import type { SignInSecrets } from '../../../operations/sign-in-secrets.ts';
import { cookieOf } from '../sessions/cookie.ts';
import { isSecret } from '../sessions/session-secret.ts';

/** The cookie of a sign-in that is under way. */
export const BEGUN = 'toolcrib_sign_in';
/** How long a person may take at the provider, milliseconds. */
export const BEGUN_MS = 10 * 60_000;

/** A sign-in that this browser began. */
export interface BegunSignIn extends SignInSecrets {
  /** A path of ours, where the person was. */
  readonly back: string;
}

/** As it stands in the cookie: of characters that one may have. */
export function begunText({ state, verifier, nonce, back }: BegunSignIn): string {
  return [state, verifier, nonce, Buffer.from(back).toString('base64url')].join('.');
}

/** Undefined: the browser, which is at that origin, has begun none. Only its form was looked at. */
export function begunIn(request: Request, origin: string): BegunSignIn | undefined {
  const [state = '', verifier = '', nonce = '', back = '', ...more] = (
    cookieOf(request, BEGUN, origin) ?? ''
  ).split('.');
  if (more.length > 0 || ![state, verifier, nonce].every(isSecret)) return undefined;
  return { state, verifier, nonce, back: Buffer.from(back, 'base64url').toString('utf8') };
}
