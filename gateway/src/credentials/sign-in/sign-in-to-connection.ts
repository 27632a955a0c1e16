import { doorOf } from '../../egress/door-of.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import type { Connection, SecurityScheme } from '../../operations/index.ts';
import { readClient } from '../oauth-tokens.ts';
import { discoverProvider } from '../openid-discovery.ts';
import { findSettings, type SchemeSettings } from '../scheme-settings.ts';
import type { SecretReader } from '../secret-reference.ts';
import { createTlsIdentities } from '../tls-identity.ts';
import type { BrowserSignIn } from './browser-answer.ts';
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

interface SignInScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly settings: Extract<SchemeSettings, { readonly kind: 'oauth2' }>;
  readonly file: string;
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

function nobodyHasTo(source: string): ToolcribError {
  return new ToolcribError(
    'configuration_invalid',
    `Nobody has to sign in to source "${source}": the gateway logs in by itself, as credentials.login of it says.`,
    { next: 'Call one of its tools, or see `toolcrib doctor`, which names what the login lacks.' },
  );
}

function chosenScheme(
  connection: Connection,
  wanted: string | undefined,
  { env }: SecretReader,
): SignInScheme {
  const { source, securitySchemes } = connection;
  const able = Object.entries(securitySchemes).filter(
    ([, { type }]) => type === 'oauth2' || type === 'openIdConnect',
  );
  const settingsOf = ([name, scheme]: readonly [string, SecurityScheme]) =>
    findSettings(connection, name, scheme, env);
  const isByItself = Object.entries(securitySchemes).some((one) => settingsOf(one)?.kind === 'login');
  if (able.length === 0) {
    if (isByItself) throw nobodyHasTo(source);
    throw new ToolcribError(
      'configuration_invalid',
      `The description of source "${source}" has no OAuth 2 or OpenID Connect scheme to sign in to.`,
      { next: 'Add one by an overlay, or set credentials that it takes (docs/credentials.md).' },
    );
  }
  const ready = able.flatMap(([name, scheme]): SignInScheme[] => {
    const settings = settingsOf([name, scheme]);
    if (settings?.kind !== 'oauth2' || settings.oauth2.tokenFile === undefined) return [];
    return [{ name, scheme, settings, file: settings.oauth2.tokenFile }];
  });
  const named = wanted === undefined ? ready : ready.filter(({ name }) => name === wanted);
  const [first] = named;
  if (first === undefined) {
    if (isByItself) throw nobodyHasTo(source);
    const schemes = able.map(([name]) => name).join(', ');
    throw new ToolcribError(
      'configuration_invalid',
      `No sign-in to source "${source}" is configured${wanted === undefined ? '' : ` for scheme ${wanted}`}; it has: ${schemes}.`,
      {
        pointer: `#/sources/${source}/credentials/oauth2/tokenFile`,
        next: `Set credentials.oauth2 of ${source}: clientId, scopes, and tokenFile, where the tokens are kept.`,
      },
    );
  }
  const files = new Set(named.map(({ file }) => file));
  if (named.length > 1 && files.size > 1) {
    throw new ToolcribError(
      'usage',
      `Source "${source}" has several sign-ins: name one by --scheme: ${named.map(({ name }) => name).join(', ')}.`,
    );
  }
  return (
    named.find(({ scheme }) => scheme.type === 'oauth2' && scheme.authorizationCode !== undefined) ?? first
  );
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
