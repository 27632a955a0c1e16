import { doorOf } from '../../egress/door-of.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { Connection } from '../../operations/index.ts';
import { authenticateClient } from '../client-authentication.ts';
import { readClient } from '../oauth-tokens.ts';
import { discoverProvider } from '../openid-discovery.ts';
import type { SecretReader } from '../secret-reference.ts';
import { createTlsIdentities } from '../tls-identity.ts';
import { chosenScheme } from './chosen-scheme.ts';
import { codeEndpoints } from './code-endpoints.ts';
import type { Revocation } from './revoke-tokens.ts';
import { readSignIn, type SignInRecord } from './sign-in-record.ts';
import { type SignOut, type SignOutTerms, signOut } from './sign-out.ts';

export interface ConnectionSignOut extends SignOutTerms {
  /** By its name in the document; absent: the only one that a person can sign in to. */
  readonly scheme?: string | undefined;
  readonly egress: Egress;
  readonly secrets: SecretReader;
}

/**
 * Signs a person out of the service behind a source. Throws `configuration_invalid` where nobody can be signed in, and
 * what the provider says against it.
 */
export async function signOutOfConnection(
  connection: Connection,
  { scheme: wanted, egress, secrets, local, signal }: ConnectionSignOut,
): Promise<SignOut> {
  const { source, baseUrl, named } = connection;
  const { name, scheme, settings, file } = chosenScheme(connection, wanted, secrets);
  const { oauth2, place } = settings;
  const door = doorOf(egress, named);
  const revocation = async (record: SignInRecord): Promise<Revocation | undefined> => {
    const need = { schemeName: name, scheme, settings: oauth2, place, base: baseUrl };
    const { tokenUrl, revocationUrl } = await codeEndpoints(need, (url) =>
      discoverProvider(door, url, signal),
    );
    const asked = { connection, settings: oauth2, place };
    const client = await readClient(asked, secrets, createTlsIdentities(secrets), signal);
    // tokens go where they came from, by the client that they were issued to
    if (record.tokenUrl !== tokenUrl || record.clientId !== client.clientId) {
      throw new ToolcribError(
        'authorization_required',
        `The sign-in that is kept is of another provider or client than that of source "${source}".`,
      );
    }
    if (revocationUrl === undefined) return undefined;
    const { clientSecret, tls } = client;
    const { accessToken, refreshToken } = record;
    const authenticate = (form: URLSearchParams) => authenticateClient(client, form);
    return { url: revocationUrl, accessToken, refreshToken, authenticate, clientSecret, tls };
  };
  return signOut({ source, file, read: readSignIn, revocation, egress: door, local, signal });
}
