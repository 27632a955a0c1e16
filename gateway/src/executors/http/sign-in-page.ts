import { ToolcribError } from '../../errors.ts';
import type { Connection, Operation } from '../../operations/index.ts';
import { phraseOf, targetOf, targetPhrase } from '../../operations/target.ts';

/** Scripts and styles stand before the field for a password, of which the first bytes of a page are enough. */
const MAX_PAGE = 256 * 1024;

const PASSWORD_FIELD = /<input\b[^<>]{0,1000}\btype\s*=\s*["']?password\b/i;

/** Words of a path or another host: `/login`, `/users/sign_in`, `/oauth2/authorize`, `https://auth.example.org/`. */
const SIGNS_IN = /\b(?:log ?[io]n|sign ?[io]n|sso|authorize|openid connect|https? auth)\b/;

/** Operations about sessions and accounts lead to the page to sign in at when all went well. */
const OF_SESSIONS =
  /\b(?:log ?(?:in|on|out|off)|sign ?(?:in|on|out|off|up)|sessions?|register|password|verify|confirm|activate|auth|authorize|oauth2?|sso|saml)\b/;

/**
 * Whether an HTML page that a redirect led to is one to sign in at: its address says so, or it has a field for a
 * password. Never of operations that are about signing in or out themselves.
 */
export function isSignInPage(redirectedTo: string, body: Uint8Array, operation: Operation): boolean {
  if (OF_SESSIONS.test(targetPhrase(operation))) return false;
  if (SIGNS_IN.test(phraseOf(redirectedTo))) return true;
  return PASSWORD_FIELD.test(Buffer.from(body.subarray(0, MAX_PAGE)).toString('latin1'));
}

interface SignedOut {
  readonly redirectedTo: string;
  readonly accountOwner: Connection['accountOwner'];
  /** What the source is signed in by was thrown away: the next call gets it anew. */
  readonly isRenewed: boolean;
}

/** The service answered by its page to sign in at. Whether a write happened nobody says; it is most unlikely. */
export function notSignedIn(
  operation: Operation,
  { redirectedTo, accountOwner, isRenewed }: SignedOut,
): ToolcribError {
  const message = `${targetOf(operation)} was redirected to ${redirectedTo}, a page to sign in at, and not answered.`;
  const effect =
    operation.access === 'read' ? '' : 'Most likely nothing was done; check that before you try again. ';
  const cure = isRenewed ? 'The next call signs in anew.' : CURES[accountOwner ?? 'operator'];
  return new ToolcribError('credentials_refused', message, {
    next: effect + cure,
    details: { redirectedTo },
  });
}

const CURES = {
  user: 'Connect your account again.',
  organisation: "An admin connects the organisation's account again.",
  operator: 'The operator checks the credential configured for this source: it is missing, or ran out.',
};
