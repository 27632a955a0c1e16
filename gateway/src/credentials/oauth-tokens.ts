import { doorOf } from '../egress/door-of.ts';
import type { Egress } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import type { Connection, CredentialSettings, SecurityScheme } from '../operations/index.ts';
import { assertOwnToken } from './acting-user.ts';
import { endpointUrl, resolvedUrl } from './endpoint-url.ts';
import { discoverProvider, type OpenIdProvider } from './openid-discovery.ts';
import type { SecretReader } from './secret-reference.ts';
import { type Landed, SharedFlights } from './shared-flight.ts';
import { codeEndpoints } from './sign-in/code-endpoints.ts';
import { createKeptSignIns } from './sign-in/kept-sign-ins.ts';
import type { TlsIdentities } from './tls-identity.ts';
import { requestToken, type TokenClient, type TokenRequest } from './token-endpoint.ts';
import { tokenKey, tokenKeysOf } from './token-key.ts';
import { usableUntil } from './token-lifetime.ts';

export interface TokenNeed {
  readonly connection: Connection;
  readonly schemeName: string;
  readonly scheme: SecurityScheme | undefined;
  readonly settings: NonNullable<CredentialSettings['oauth2']>;
  /** Configuration key, for errors. */
  readonly place: string;
  /** What the operation's requirement lists. */
  readonly scopes: readonly string[];
  /** What a relative address is relative to. */
  readonly base: string;
}

export interface IssuedToken {
  readonly token: string;
  /** The service refused it: forgets it, unless a newer one is there already. True when a retry may help. */
  readonly refused: () => boolean;
}

export interface OAuthTokens {
  accessToken(need: TokenNeed, signal: AbortSignal): Promise<IssuedToken>;
  /** Throws where no token could be had: a secret, a token endpoint or a person's sign-in is not there. Asks nobody. */
  ready(need: TokenNeed, signal: AbortSignal): Promise<void>;
  /** Forgets the connection's access tokens; true when there were any. */
  forget(connection: Connection): boolean;
}

/** What it takes to ask for tokens. */
export interface TokenOptions {
  readonly egress: Egress;
  readonly secrets: SecretReader;
  /** Of connections: token endpoints see the certificate, too (RFC 8705). */
  readonly identities: TlsIdentities;
  readonly announce: (secret: string) => void;
  readonly now: () => number;
}

/** RFC 6749 §5.1 recommends `expires_in`; without it a token is used for five minutes. */
const DEFAULT_LIFETIME_SECONDS = 300;
const DISCOVERY_LIFETIME_MS = 60 * 60 * 1000;

/** Access tokens by OAuth 2, kept in memory per connection, scheme, scopes and acting user. */
export function createOAuthTokens({ egress, secrets, identities, announce, now }: TokenOptions): OAuthTokens {
  const tokens = new SharedFlights<string>(now);
  const discovered = new SharedFlights<OpenIdProvider>(now);
  const signIns = createKeptSignIns({ egress, announce, now });
  /** Refresh tokens that a provider put in place of the configured one, by the key of their grant. */
  const rotated = new Map<string, string>();
  /** The last exchange of each refresh grant: one at a time, or a provider that rotates sees a stolen token. */
  const exchanges = new Map<string, Promise<unknown>>();

  const discover = (url: string, { named }: Connection, signal: AbortSignal): Promise<OpenIdProvider> =>
    discovered.get(JSON.stringify([url, named]), signal, async (shared) => ({
      value: await discoverProvider(doorOf(egress, named), url, shared),
      usableUntil: now() + DISCOVERY_LIFETIME_MS,
    }));

  const tokenUrlOf = async (need: TokenNeed, signal: AbortSignal): Promise<string> => {
    const { scheme, settings } = need;
    if (settings.tokenUrl !== undefined) return absolute(settings.tokenUrl, need);
    if (scheme?.type === 'openIdConnect') {
      return (await discover(resolvedUrl(scheme.url, need.base), need.connection, signal)).tokenUrl;
    }
    const declared = scheme?.type === 'oauth2' ? tokenUrlOfScheme(scheme, settings) : undefined;
    if (declared !== undefined) return absolute(declared, need);
    throw new ToolcribError(
      'credentials_missing',
      `Scheme ${need.schemeName} names no token endpoint: set ${need.place}.tokenUrl.`,
    );
  };

  const exchange = async (
    request: TokenRequest,
    grantKey: string,
    signal: AbortSignal,
  ): Promise<Landed<string>> => {
    const current = rotated.get(grantKey);
    const newest = current === undefined ? request : { ...request, refreshToken: current };
    const grant = await requestToken(egress, newest, signal);
    announce(grant.accessToken);
    if (grant.refreshToken !== undefined && request.refreshToken !== undefined) {
      announce(grant.refreshToken);
      rotated.set(grantKey, grant.refreshToken);
    }
    const lifetime = (grant.expiresInSeconds ?? DEFAULT_LIFETIME_SECONDS) * 1000;
    return { value: grant.accessToken, usableUntil: usableUntil(now(), lifetime) };
  };

  const fetchToken = (
    request: TokenRequest,
    grantKey: string,
    signal: AbortSignal,
  ): Promise<Landed<string>> => {
    if (request.refreshToken === undefined) return exchange(request, grantKey, signal);
    const before = exchanges.get(grantKey) ?? Promise.resolve();
    const landed = before.then(() => {
      signal.throwIfAborted();
      // once sent it goes on when nobody waits any more: the provider's next refresh token comes back once
      return exchange(request, grantKey, new AbortController().signal);
    });
    const settled = landed.then(
      () => {},
      () => {},
    );
    exchanges.set(grantKey, settled);
    void settled.then(() => exchanges.get(grantKey) === settled && exchanges.delete(grantKey));
    return landed;
  };

  /** Of a person's sign-in: it acts as that person. */
  const keptToken = async (need: TokenNeed, file: string, signal: AbortSignal): Promise<IssuedToken> => {
    const { connection, place } = need;
    assertOwnToken(connection, `${place}.tokenFile`);
    const { tokenUrl, refreshUrl } = await codeEndpoints(need, (url) => discover(url, connection, signal));
    const client = { ...(await readClient(need, secrets, identities, signal)), tokenUrl };
    return signIns.accessToken({ source: connection.source, file, client, refreshUrl }, signal);
  };

  return {
    async accessToken(need, signal) {
      const { connection, schemeName, settings } = need;
      if (settings.tokenFile !== undefined) return keptToken(need, settings.tokenFile, signal);
      const client = await readClient(need, secrets, identities, signal);
      const request = await readRequest(
        need,
        { ...client, tokenUrl: await tokenUrlOf(need, signal) },
        secrets,
        signal,
      );
      const { scopes, ...grant } = request;
      const grantKey = tokenKey(connection, schemeName, grant);
      const key = tokenKey(connection, schemeName, grant, scopes);
      const token = await tokens.get(key, signal, (shared) => fetchToken(request, grantKey, shared));
      return {
        token,
        refused() {
          tokens.forgetValue(key, token);
          return true;
        },
      };
    },
    async ready(need, signal) {
      const { connection, settings, place } = need;
      const client = await readClient(need, secrets, identities, signal);
      if (settings.tokenFile !== undefined) {
        assertOwnToken(connection, `${place}.tokenFile`);
        return signIns.ready(connection.source, settings.tokenFile);
      }
      // what a provider says of itself is not asked for
      const isDiscovered = settings.tokenUrl === undefined && need.scheme?.type === 'openIdConnect';
      const tokenUrl = isDiscovered ? '' : await tokenUrlOf(need, signal);
      await readRequest(need, { ...client, tokenUrl }, secrets, signal);
    },
    forget: (connection) => tokens.forget(tokenKeysOf(connection)),
  };
}

async function readRequest(
  { connection, settings, place, scopes }: TokenNeed,
  client: TokenClient,
  secrets: SecretReader,
  signal: AbortSignal,
): Promise<TokenRequest> {
  const { refreshToken, audience } = settings;
  const refresh = refreshToken && (await secrets.read(refreshToken, `${place}.refreshToken`, signal));
  return {
    ...client,
    scopes: settings.scopes ?? scopes,
    ...(refresh === undefined ? {} : { refreshToken: refresh }),
    ...(audience === undefined ? {} : { audience }),
    ...subjectOf(connection, refresh !== undefined, place),
  };
}

/** Who the client is, as the configuration says. */
export async function readClient(
  { connection, settings, place }: Pick<TokenNeed, 'connection' | 'settings' | 'place'>,
  secrets: SecretReader,
  identities: TlsIdentities,
  signal: AbortSignal,
): Promise<Omit<TokenClient, 'tokenUrl'>> {
  const { clientId, clientSecret, clientAuthentication = 'basic' } = settings;
  const id = await secrets.read(clientId, `${place}.clientId`, signal, 'public');
  const secret = clientSecret && (await secrets.read(clientSecret, `${place}.clientSecret`, signal));
  const tls = await identities.of(connection, signal);
  const { named } = connection;
  return {
    clientId: id,
    clientAuthentication,
    ...(secret === undefined ? {} : { clientSecret: secret }),
    ...(tls === undefined ? {} : { tls }),
    ...(named === undefined ? {} : { named }),
  };
}

/** A service that learns from the token who acts gets one token for each acting user. */
function subjectOf(connection: Connection, refreshes: boolean, place: string): { readonly subject?: string } {
  const { actingUser, actingUserPlace } = connection;
  if (actingUser === undefined || actingUserPlace?.in !== 'token') return {};
  if (!refreshes) return { subject: actingUser };
  assertOwnToken(connection, `${place}.refreshToken`);
  return {};
}

function tokenUrlOfScheme(
  { tokenUrl, refreshUrl }: Extract<SecurityScheme, { type: 'oauth2' }>,
  { refreshToken }: TokenNeed['settings'],
): string | undefined {
  return refreshToken === undefined ? tokenUrl : (refreshUrl ?? tokenUrl);
}

function absolute(url: string, { base, place }: TokenNeed): string {
  return endpointUrl(url, base, 'token endpoint', `${place}.tokenUrl`);
}
