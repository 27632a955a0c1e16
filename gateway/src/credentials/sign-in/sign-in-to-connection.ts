import { doorOf } from '../../egress/door-of.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { Connection, SecurityScheme } from '../../operations/index.ts';
import { readClient } from '../oauth-tokens.ts';
import { discoverProvider } from '../openid-discovery.ts';
import type { SecretReader } from '../secret-reference.ts';
import { createTlsIdentities } from '../tls-identity.ts';
import type { BrowserSignIn } from './browser-answer.ts';
import { chosenScheme } from './chosen-scheme.ts';
import { codeEndpoints } from './code-endpoints.ts';
import { signInByCode } from './sign-in-by-code.ts';
import type { SignInRecord } from './sign-in-record.ts';
import { writeTokenFile } from './token-file.ts';
import { withTokenFileLock } from './token-file-lock.ts';

export interface ConnectionSignIn extends Pick<BrowserSignIn, 'onUrl' | 'announce' | 'signal'> {
  /** By its name in the document; absent: the only one that a person can sign in to. */
  readonly scheme?: string | undefined;
  readonly egress: Egress;
  readonly secrets: SecretReader;
  readonly now?: () => number;
}

/** Scopes of OpenID Connect where the configuration names none: who it is, and to stay signed in. */
const OPENID_SCOPES = ['openid', 'offline_access'];
const MAX_NAMED = 20;

/**
 * Signs a person in to the service behind a source; the tokens go into the `tokenFile` of its credentials. Throws
 * `configuration_invalid` with what is to be set, `authorization_required` where nobody agreed.
 */
export async function signInToConnection(
  connection: Connection,
  { scheme: wanted, egress, secrets, now = Date.now, onUrl, announce, signal }: ConnectionSignIn,
): Promise<SignInRecord> {
  const { source, baseUrl, named } = connection;
  const { name, scheme, settings, file } = chosenScheme(connection, wanted, secrets);
  const { oauth2, place } = settings;
  const asked = { connection, settings: oauth2, place };
  const need = { schemeName: name, scheme, settings: oauth2, place, base: baseUrl };
  const found = await codeEndpoints(need, (url) => discoverProvider(doorOf(egress, named), url, signal));
  const record = await signInByCode(
    {
      source,
      authorizationUrl: safeAddress(found.authorizationUrl, name, place),
      client: {
        ...(await readClient(asked, secrets, createTlsIdentities(secrets), signal)),
        tokenUrl: found.tokenUrl,
      },
      scopes: oauth2.scopes ?? defaultScopes(scheme, place),
      audience: oauth2.audience,
      redirectUri: oauth2.redirectUri,
      parameters: oauth2.authorizationParameters,
      issuer: found.issuer,
    },
    { egress, announce, now, onUrl, signal },
  );
  await withTokenFileLock(file, signal, () => writeTokenFile(file, record));
  return record;
}

/** A person's browser is sent there: encrypted, or on this machine. */
function safeAddress(address: string | undefined, scheme: string, place: string): string {
  if (address === undefined) {
    throw new ToolcribError(
      'configuration_invalid',
      `Scheme ${scheme} names no address where a person signs in: set ${place}.authorizationUrl.`,
    );
  }
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return address;
  throw new ToolcribError(
    'configuration_invalid',
    `Nobody should sign in at ${address}: it is not encrypted. Set ${place}.authorizationUrl to an https address.`,
  );
}

/** Never all that there are: what an agent may do is the operator's choice. */
function defaultScopes(scheme: SecurityScheme, place: string): readonly string[] {
  if (scheme.type !== 'oauth2') return OPENID_SCOPES;
  if (scheme.scopes.length === 0) return [];
  const shown = scheme.scopes.slice(0, MAX_NAMED).join(', ');
  const more = scheme.scopes.length > MAX_NAMED ? ` and ${scheme.scopes.length - MAX_NAMED} more` : '';
  throw new ToolcribError('configuration_invalid', `Choose what the sign-in allows: set ${place}.scopes.`, {
    next: `The description knows: ${shown}${more}.`,
  });
}
