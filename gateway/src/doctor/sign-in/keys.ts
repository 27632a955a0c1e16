import type { Configuration } from '../../config/index.ts';
import { EgressFailure } from '../../egress/egress.ts';
import { keysIn, usualKeySetUrl } from '../../operations/key-set.ts';
import type { Finding } from '../finding.ts';
import type { IssuerReading } from './issuer-reading.ts';

type Jwt = NonNullable<Configuration['auth']['jwt']>;

const READ_MS = 15_000;

/** Whether the keys that sign-in tokens are checked with can be had: without them every token is refused. */
export async function aboutKeys(
  { egress }: Configuration,
  { issuer, jwksUrl }: Jwt,
  reading: IssuerReading,
): Promise<Finding[]> {
  const url = jwksUrl ?? (await publishedUrl(issuer, reading));
  if (url === undefined) return [];
  const { createEgress } = await import('../../egress/index.ts');
  const { fetchKeySet } = await import('../../credentials/key-set.ts');
  const door = createEgress(egress);
  try {
    const { status, text } = await fetchKeySet(door, url, AbortSignal.timeout(READ_MS));
    const fault = status === 200 ? faultOf(await text()) : `answered ${status}`;
    return fault === undefined ? [] : [failure(`${url} ${fault}`, nextAfter(jwksUrl))];
  } catch (error) {
    if (error instanceof EgressFailure)
      return [failure(`${url} cannot be read, ${error.message}`, 'Check the address and the network.')];
    throw error;
  } finally {
    await door.close();
  }
}

/** Where the gateway looks for them; undefined where that cannot be known, which is told of clients. */
async function publishedUrl(issuer: string, reading: IssuerReading): Promise<string | undefined> {
  if ('error' in reading) return undefined;
  const { keySetUrlOf } = await import('../../credentials/issuer-metadata.ts');
  try {
    const named = reading.metadata && keySetUrlOf(reading.metadata, issuer);
    return named ?? usualKeySetUrl(issuer);
  } catch {
    return undefined;
  }
}

/** RFC 7517 §4 and §5: a set of keys, one of which is public and not for encryption alone. */
function faultOf(text: string): string | undefined {
  const keys = keysIn(text);
  if (keys === undefined) return 'is no JSON Web Key Set';
  if (keys.length === 0) return 'holds no key';
  const signs = keys.some((key) => key['use'] !== 'enc' && key['kty'] !== 'oct');
  return signs ? undefined : 'holds no key that a token can be signed with';
}

function nextAfter(jwksUrl: string | undefined): string {
  return jwksUrl === undefined
    ? 'Compare `auth.jwt.issuer` with the `iss` of a token, or say in `auth.jwt.jwksUrl` where the keys are.'
    : 'Correct `auth.jwt.jwksUrl`, or take it out: an issuer says by itself where its keys are.';
}

function failure(what: string, next: string): Finding {
  const message = `The keys of sign-in tokens: ${what}. Every such token is refused.`;
  return { check: 'sign-in keys', status: 'error', message, next };
}
