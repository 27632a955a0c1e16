import { ToolcribError } from '../../errors.ts';
import { discoverAuthorization } from './discovery.ts';
import { configuredClient, type OAuthClient, type RegistrationContext } from './registration.ts';
import type { Remote } from './remote.ts';
import { exchangeToken } from './token-exchange.ts';
import type { TokenRecord } from './token-record.ts';

/**
 * A token for ourselves (RFC 6749 §4.4): where `base` is, at its authorization server, else at the one that is
 * discovered. `wanted` scopes come on top of those of `base` and the configuration.
 */
export async function clientCredentials(
  context: RegistrationContext,
  remote: Remote,
  base: TokenRecord | undefined,
  resourceMetadata: string | undefined,
  wanted: readonly string[],
  now: () => number,
): Promise<TokenRecord> {
  const { egress, tokenDoor, signal } = context;
  const { url, oauth } = remote;
  const client = await ownClient(context, remote);
  const facts = base ?? (await discoverAuthorization(egress, { url, oauth }, resourceMetadata, signal));
  const asked = oauth.scopes ?? base?.scopes ?? (wanted.length > 0 ? [] : (facts.scopes ?? []));
  const scopes = [...new Set([...asked, ...wanted])];
  const grant = {
    grant_type: 'client_credentials',
    ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
  };
  const issuedAt = now();
  const issued = await exchangeToken(tokenDoor, facts, client, grant, { now, signal });
  const { issuer, resource, tokenEndpoint, methods } = facts;
  return { server: url, issuer, resource, tokenEndpoint, methods, client, scopes, issuedAt, ...issued };
}

/** Who we are there. Throws `credentials_missing`. */
export async function ownClient(context: RegistrationContext, { name, tls }: Remote): Promise<OAuthClient> {
  const client = await configuredClient(context);
  if (client !== undefined && (client.secret !== undefined || tls?.certificate !== undefined)) return client;
  throw new ToolcribError(
    'credentials_missing',
    `The server "${name}" is signed in to as a client, which needs oauth.clientId and oauth.clientSecret or the source's tls.certificate.`,
  );
}
