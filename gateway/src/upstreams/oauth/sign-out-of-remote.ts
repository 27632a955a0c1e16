import { authenticateClient } from '../../credentials/client-authentication.ts';
import { readIssuerMetadata, revocationOf, sameIssuer } from '../../credentials/issuer-metadata.ts';
import type { Revocation } from '../../credentials/sign-in/revoke-tokens.ts';
import { type SignOut, type SignOutTerms, signOut } from '../../credentials/sign-in/sign-out.ts';
import { ToolcribError } from '../../errors.ts';
import { configuredClient, type RegistrationContext } from './registration.ts';
import type { Remote } from './remote.ts';
import { shownClient } from './token-exchange.ts';
import { readRecord, type TokenRecord } from './token-record.ts';

/** Ends the sign-in that is kept in `file`, at the authorization server that its tokens are from. */
export async function signOutOfRemote(
  context: RegistrationContext,
  { name: source, url, oauth }: Remote,
  file: string,
  { local, signal }: SignOutTerms,
): Promise<SignOut> {
  const revocation = async (record: TokenRecord): Promise<Revocation | undefined> => {
    const { issuer, accessToken, refreshToken, methods } = record;
    const configured = await configuredClient(context);
    // tokens go where they came from, by the client that they were issued to
    const isOurs =
      record.server === url &&
      (oauth.issuer === undefined || sameIssuer(issuer, oauth.issuer)) &&
      (configured === undefined || configured.id === record.client.id);
    if (!isOurs) {
      const message = `The sign-in that is kept is of another server, issuer or client than that of "${source}".`;
      throw new ToolcribError('authorization_required', message);
    }
    const metadata = await readIssuerMetadata(context.egress, issuer, signal);
    const place = metadata && revocationOf(metadata, issuer);
    if (place === undefined) return undefined;
    const client = configured ?? record.client;
    return {
      url: place.url,
      accessToken,
      refreshToken,
      authenticate: (form) => authenticateClient(shownClient(client, place.methods ?? methods), form),
      clientSecret: client.secret,
    };
  };
  return signOut({ source, file, read: readRecord, revocation, egress: context.tokenDoor, local, signal });
}
