import type { createRemoteJWKSet, JWTPayload, JWTVerifyOptions } from 'jose';
import { ToolcribError } from '../../errors.ts';
import { printable } from '../../operations/text/printable.ts';

type Jose = typeof import('jose');
type KeySet = ReturnType<typeof createRemoteJWKSet>;

/**
 * What a token says that one of the issuer's keys signed. Issuers name their keys as they like: several without a name
 * are tried in turn, and a wrong signature by a known name may be that of a new key, so they are fetched again, no more
 * often than for an unknown name. Throws the library's own errors, and `unauthorized` for a signature of a kind that is
 * not accepted: a provider may sign for one client as it does for no other, which its metadata do not tell.
 */
export async function signedPayload(
  jose: Jose,
  token: string,
  keys: KeySet,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return await byAnyOf(jose, token, keys, options);
  } catch (error) {
    if (error instanceof jose.errors.JOSEAlgNotAllowed) {
      const { alg } = jose.decodeProtectedHeader(token);
      throw new ToolcribError(
        'unauthorized',
        `The sign-in token is signed with ${printable(String(alg), 20)}, which is not accepted: its provider must sign it with a key that it publishes, such as RS256 or ES256.`,
        { cause: error },
      );
    }
    if (!(error instanceof jose.errors.JWSSignatureVerificationFailed) || keys.coolingDown) throw error;
    await keys.reload();
    return byAnyOf(jose, token, keys, options);
  }
}

async function byAnyOf(
  jose: Jose,
  token: string,
  keys: KeySet,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const { JWKSMultipleMatchingKeys, JWSSignatureVerificationFailed } = jose.errors;
  try {
    return (await jose.jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jose.jwtVerify(token, key, options)).payload;
      } catch (failure) {
        if (!(failure instanceof JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new JWSSignatureVerificationFailed();
  }
}
