import type { Configuration } from '../config/index.ts';
import { isToolcribError } from '../errors.ts';
import type { JsonObject } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import type { Finding } from './finding.ts';

/** For all metadata documents of an issuer together, milliseconds. */
const READ_MS = 15_000;
const check = 'console sign-in';
/** The redirect address, below the gateway's own. */
const ANSWER_PATH = '/sign-in/answer';

/** Whether people can sign in to the console at the identity provider, and what has to be registered there. */
export async function checkConsoleSignIn({ auth, server, egress }: Configuration): Promise<Finding[]> {
  const { jwt, mode } = auth;
  if (jwt?.console === undefined || mode !== 'team') return [];
  const { createEgress } = await import('../egress/index.ts');
  const { readIssuerMetadata, signInEndpointsOf } = await import('../credentials/issuer-metadata.ts');
  const door = createEgress(egress);
  const { issuer } = jwt;
  try {
    const metadata = await readIssuerMetadata(door, issuer, AbortSignal.timeout(READ_MS));
    // without any the check of clients says so
    if (metadata === undefined) return [];
    signInEndpointsOf(metadata, issuer);
    const faults = faultsOf(metadata, issuer);
    if (faults.length > 0) return faults;
    const at = server.publicUrl ?? 'ORIGIN';
    const where = server.publicUrl === undefined ? ', where ORIGIN is how people open this gateway' : '';
    return [
      {
        check,
        status: 'ok',
        message: `People sign in to the console at ${issuer}; its redirect address there is ${at}${ANSWER_PATH}${where}.`,
      },
    ];
  } catch (error) {
    if (isToolcribError(error) && error.code === 'credentials_refused') {
      return [{ check, status: 'error', message: error.message, next: error.next }];
    }
    // what cannot be read is told by the check of clients
    return [];
  } finally {
    await door.close();
  }
}

function faultsOf(metadata: JsonObject, issuer: string): Finding[] {
  const list = (name: string) => {
    const value = metadata[name];
    return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  };
  const faults: Finding[] = [];
  const named = String(metadata['issuer']);
  if (named !== issuer) {
    faults.push({
      check,
      status: 'warning',
      message: `The provider names itself ${printable(named, 300)}, and auth.jwt.issuer is ${issuer}: its ID tokens are taken for another's.`,
      next: `Set \`auth.jwt.issuer: ${printable(named, 300)}\`.`,
    });
  }
  if (list('scopes_supported')?.includes('openid') === false) {
    faults.push({
      check,
      status: 'warning',
      message: `${issuer} does not know the scope openid: no ID token says who signed in.`,
      next: 'Use an issuer that speaks OpenID Connect.',
    });
  }
  // an issuer says it of all its clients
  if (list('id_token_signing_alg_values_supported')?.every((name) => /^(?:HS|none)/.test(String(name)))) {
    faults.push({
      check,
      status: 'warning',
      message: `${issuer} signs ID tokens with a secret that it shares with the client: they are not accepted.`,
      next: 'Have it sign them with a key that it publishes, such as RS256 or ES256.',
    });
  }
  return faults;
}
