import type {
  Connection,
  CredentialSettings,
  LoginSettings,
  NangoCredential,
  SecretReference,
  SecurityScheme,
} from '../operations/index.ts';
import { type Environment, environmentName } from './secret-reference.ts';

type OAuthSettings = NonNullable<CredentialSettings['oauth2']>;
type BasicSettings = NonNullable<CredentialSettings['basic']>;

/** What the operator gave for one security scheme, and the configuration key or variable it stands under. */
export type SchemeSettings =
  /** One secret: a bearer token, an API key, a ready access token. */
  | { readonly kind: 'token'; readonly token: SecretReference; readonly place: string }
  | { readonly kind: 'basic'; readonly basic: BasicSettings; readonly place: string }
  /** `user:password` in one variable. */
  | { readonly kind: 'pair'; readonly pair: SecretReference; readonly place: string }
  | { readonly kind: 'oauth2'; readonly oauth2: OAuthSettings; readonly place: string }
  /** Nango keeps it; what it is shows when it is asked for. */
  | { readonly kind: 'nango'; readonly nango: NangoCredential; readonly place: string }
  /** The service's own login gives it. */
  | { readonly kind: 'login'; readonly login: LoginSettings; readonly place: string }
  /** The client certificate of the source's `tls`. */
  | { readonly kind: 'certificate'; readonly place: string }
  /** The operator sends the header itself, by `headers:`. */
  | { readonly kind: 'header'; readonly value: string; readonly place: string };

/**
 * Looks for a scheme's credential: `credentials.schemes.<scheme>`, then `credentials.<bearer | basic | apiKey |
 * oauth2>` by the scheme's type, then `credentials.login`, then `credentials.nango`, then a fixed header of the connection, then the
 * environment variable `TOOLCRIB_<SOURCE>_<SCHEME>` (upper snake case; its value is the token, for basic
 * `user:password`). A stored connection has its own credentials only: never the operator's header or variable.
 */
export function findSettings(
  connection: Connection,
  name: string,
  scheme: SecurityScheme | undefined,
  env: Environment,
): SchemeSettings | undefined {
  if ((scheme && isUnsupported(scheme)) || connection.credentials === 'none') return undefined;
  if (scheme?.type === 'mutualTLS') return ofCertificate(connection);
  const place = placeOf(connection);
  const { schemes, ...generic } = connection.credentials ?? {};
  const named = schemes !== undefined && Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  return (
    (named && ofNamedScheme(named, scheme, `${place}.schemes.${name}`)) ??
    (scheme && ofType(generic, scheme, place)) ??
    (scheme && ofUserKey(connection, generic, scheme, place)) ??
    ofLogin(generic, scheme, place) ??
    (scheme && ofNango(generic, place)) ??
    (connection.account === undefined
      ? ((scheme && ofFixedHeader(connection, scheme)) ?? ofEnvironment(connection, name, scheme, env))
      : undefined)
  );
}

function ofCertificate({ source, tls }: Connection): SchemeSettings | undefined {
  return tls?.certificate === undefined ? undefined : { kind: 'certificate', place: `sources.${source}.tls` };
}

/** Where a connection's credentials are written down, for errors. */
export function placeOf({ source, account }: Connection): string {
  return account === undefined ? `sources.${source}.credentials` : `connection ${account}: credentials`;
}

/** Providers take their API key as the user name of basic authentication, with an empty password (Greenhouse, Lever). */
function ofUserKey(
  { provider }: Connection,
  { apiKey }: CredentialSettings,
  scheme: SecurityScheme,
  place: string,
): SchemeSettings | undefined {
  if (provider === undefined || apiKey === undefined || !isBasic(scheme)) return undefined;
  return { kind: 'basic', basic: { username: apiKey, password: '' }, place: `${place}.apiKey` };
}

function ofNango({ nango }: CredentialSettings, place: string): SchemeSettings | undefined {
  return nango && { kind: 'nango', nango, place: `${place}.nango` };
}

/** What a login gives is one token, which is no pair of name and password. */
function ofLogin(
  { login }: CredentialSettings,
  scheme: SecurityScheme | undefined,
  place: string,
): SchemeSettings | undefined {
  if (login === undefined || isBasic(scheme)) return undefined;
  return { kind: 'login', login, place: `${place}.login` };
}

/** Named settings are meant for this scheme: a single secret fits whatever key it stands under. */
function ofNamedScheme(
  settings: CredentialSettings,
  scheme: SecurityScheme | undefined,
  place: string,
): SchemeSettings | undefined {
  const byType = scheme && ofType(settings, scheme, place);
  if (byType !== undefined) return byType;
  if (isBasic(scheme)) {
    const pair = settings.bearer ?? settings.apiKey;
    return pair === undefined ? ofNango(settings, place) : { kind: 'pair', pair, place };
  }
  return (
    token(settings.bearer, `${place}.bearer`) ??
    token(settings.apiKey, `${place}.apiKey`) ??
    ofLogin(settings, scheme, place) ??
    ofNango(settings, place)
  );
}

function ofType(
  settings: CredentialSettings,
  scheme: SecurityScheme,
  place: string,
): SchemeSettings | undefined {
  const { basic, bearer, apiKey, oauth2 } = settings;
  switch (scheme.type) {
    case 'http':
      if (isBasic(scheme)) return basic && { kind: 'basic', basic, place: `${place}.basic` };
      return token(bearer, `${place}.bearer`);
    case 'apiKey':
      return (
        token(apiKey, `${place}.apiKey`) ??
        (isAuthorizationKey(scheme) ? token(bearer, `${place}.bearer`) : undefined)
      );
    case 'oauth2':
    case 'openIdConnect':
      return (
        (oauth2 && { kind: 'oauth2', oauth2, place: `${place}.oauth2` }) ?? token(bearer, `${place}.bearer`)
      );
    default:
      return undefined;
  }
}

function ofFixedHeader(
  { source, headers = {} }: Connection,
  scheme: SecurityScheme,
): SchemeSettings | undefined {
  const needed = headerOf(scheme);
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === needed);
  return entry && { kind: 'header', value: entry[1], place: `sources.${source}.headers.${entry[0]}` };
}

function ofEnvironment(
  connection: Connection,
  name: string,
  scheme: SecurityScheme | undefined,
  env: Environment,
): SchemeSettings | undefined {
  const variable = environmentName(connection.source, name);
  if (scheme === undefined || !env[variable]) return undefined;
  const reference = { env: variable };
  return isBasic(scheme)
    ? { kind: 'pair', pair: reference, place: variable }
    : { kind: 'token', token: reference, place: variable };
}

function token(reference: SecretReference | undefined, place: string): SchemeSettings | undefined {
  return reference === undefined ? undefined : { kind: 'token', token: reference, place };
}

/** Lower-case name of the header that carries the scheme's credential. */
export function headerOf(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'apiKey') return scheme.in === 'header' ? scheme.name.toLowerCase() : undefined;
  return scheme.type === 'mutualTLS' ? undefined : 'authorization';
}

/** Schemes that take more than a secret in a request: an answer to a challenge. */
export function isUnsupported(scheme: SecurityScheme): boolean {
  return (
    scheme.type === 'http' && /^(?:digest|negotiate|hoba|mutual|scram-.*|dpop|ntlm)$/i.test(scheme.scheme)
  );
}

export function isBasic(scheme: SecurityScheme | undefined): boolean {
  return scheme?.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
}

/** Documents without `http` schemes (OpenAPI 2.0) describe bearer tokens as an API key in `Authorization`. */
export function isAuthorizationKey(scheme: SecurityScheme): boolean {
  return scheme.type === 'apiKey' && headerOf(scheme) === 'authorization';
}
