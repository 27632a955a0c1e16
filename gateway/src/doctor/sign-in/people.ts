import type { Configuration } from '../../config/index.ts';
import { isToolcribError } from '../../errors.ts';
import type { JsonObject } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import type { Finding } from '../finding.ts';
import type { IssuerReading } from './issuer-reading.ts';

const check = 'console sign-in';
/** The redirect address, below the gateway's own. */
const ANSWER_PATH = '/sign-in/answer';

/** Whether people can sign in to the console at the identity provider, and what has to be registered there. */
export async function aboutPeople(
  { publicUrl }: Configuration['server'],
  issuer: string,
  reading: IssuerReading,
): Promise<Finding[]> {
  // what cannot be read, and what is not there, is told of clients
  if ('error' in reading || reading.metadata === undefined) return [];
  const { metadata } = reading;
  const { signInEndpointsOf } = await import('../../credentials/issuer-metadata.ts');
  try {
    signInEndpointsOf(metadata, issuer);
  } catch (error) {
    if (!isToolcribError(error)) throw error;
    return [{ check, status: 'error', message: error.message, next: error.next }];
  }
  const faults = faultsOf(metadata, issuer);
  if (faults.length > 0) return faults;
  const where = publicUrl === undefined ? ', where ORIGIN is how people open this gateway' : '';
  const address = `${publicUrl ?? 'ORIGIN'}${ANSWER_PATH}`;
  const message = `People sign in to the console at ${issuer}; its redirect address there is ${address}${where}.`;
  return [{ check, status: 'ok', message }];
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
