import type { createRemoteJWKSet, JWTPayload, JWTVerifyOptions } from 'jose';

type Jose = typeof import('jose');
type KeySet = ReturnType<typeof createRemoteJWKSet>;

/**
 * What a token says that one of the issuer's keys signed. Issuers name their keys as they like: several without a name
 * are tried in turn, and a wrong signature by a known name may be that of a new key, so they are fetched again, no more
 * often than for an unknown name. Throws the library's own errors.
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
