import { createHash, randomBytes } from 'node:crypto';
import type { SignInSecrets } from '../../operations/sign-in-secrets.ts';

/** What the address of a sign-in says of the one who asks. */
export interface AskedSignIn {
  readonly redirectUri: string;
  readonly state: string;
  /** PKCE with S256 (RFC 7636). */
  readonly challenge: string;
  /** That the ID token must repeat (OpenID Connect Core 1.0 §3.1.2.1); absent: the ID token is not used. */
  readonly nonce?: string;
}

/** A sign-in that nobody can answer for somebody else: 256 random bits for each of its secrets. */
export function newSignIn(): SignInSecrets & Pick<AskedSignIn, 'challenge'> {
  const verifier = random();
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { state: random(), verifier, nonce: random(), challenge };
}

function random(): string {
  return randomBytes(32).toString('base64url');
}
