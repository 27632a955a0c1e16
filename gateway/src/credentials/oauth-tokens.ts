import { createHash } from 'node:crypto';
import type { Egress } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import type { Connection, CredentialSettings, SecurityScheme } from '../operations/index.ts';
import { assertOwnToken } from './acting-user.ts';
import { discoverTokenUrl } from './openid-discovery.ts';
import type { SecretReader } from './secret-reference.ts';
import { type Landed, SharedFlights } from './shared-flight.ts';
import { requestToken, type TokenRequest } from './token-endpoint.ts';

export interface TokenNeed {
  readonly connection: Connection;
  readonly schemeName: string;
  readonly scheme: SecurityScheme | undefined;
  readonly settings: NonNullable<CredentialSettings['oauth2']>;
  /** Configuration key, for errors. */
  readonly place: string;
  /** What the operation's requirement lists. */
  readonly scopes: readonly string[];
  /** What a relative token URL is relative to. */
  readonly requestUrl: string;
}

export interface IssuedToken {
  readonly token: string;
  /** The service refused it: forgets it, unless a newer one is there already. True when a retry may help. */
  readonly refused: () => boolean;
}

export interface OAuthTokens {
  accessToken(need: TokenNeed, signal: AbortSignal): Promise<IssuedToken>;
  /** Forgets the connection's access tokens; true when there were any. */
  forget(connection: Connection): boolean;
}

export interface OAuthOptions {
  readonly egress: Egress;
  readonly secrets: SecretReader;
  readonly announce: (secret: string) => void;
  readonly now: () => number;
}

/** A token is not used in its last minute, nor in the last half of a shorter life. */
const SKEW_MS = 60_000;
const DISCOVERY_LIFETIME_MS = 60 * 60 * 1000;

/** Access tokens by OAuth 2, kept in memory per connection, scheme, scopes and acting user. */
export function createOAuthTokens({ egress, secrets, announce, now }: OAuthOptions): OAuthTokens {
  const tokens = new SharedFlights<string>(now);
  const discovered = new SharedFlights<string>(now);
  /** Refresh tokens that a provider put in place of the configured one, by the key of their grant. */
  const rotated = new Map<string, string>();
  /** The last exchange of each refresh grant: one at a time, or a provider that rotates sees a stolen token. */
  const exchanges = new Map<string, Promise<unknown>>();

  const tokenUrlOf = async (need: TokenNeed, signal: AbortSignal): Promise<string> => {
    const { scheme, settings } = need;
    if (settings.tokenUrl !== undefined) return absolute(settings.tokenUrl, need);
    if (scheme?.type === 'openIdConnect') {
      return discovered.get(scheme.url, signal, async (shared) => ({
        value: await discoverTokenUrl(egress, scheme.url, shared),
        usableUntil: now() + DISCOVERY_LIFETIME_MS,
      }));
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
    const lifetime = grant.expiresInSeconds * 1000;
    return { value: grant.accessToken, usableUntil: now() + lifetime - Math.min(SKEW_MS, lifetime / 2) };
  };

  const fetchToken = (
    request: TokenRequest,
    grantKey: string,
    signal: AbortSignal,
  ): Promise<Landed<string>> => {
    if (request.refreshToken === undefined) return exchange(request, grantKey, signal);
    const before = exchanges.get(grantKey) ?? Promise.resolve();
    const landed = before.then(() => exchange(request, grantKey, signal));
    const settled = landed.then(
      () => {},
      () => {},
    );
    exchanges.set(grantKey, settled);
    void settled.then(() => exchanges.get(grantKey) === settled && exchanges.delete(grantKey));
    return landed;
  };

  return {
    async accessToken(need, signal) {
      const { connection, schemeName } = need;
      const request = await readRequest(need, await tokenUrlOf(need, signal), secrets, signal);
      const { scopes, ...grant } = request;
      const grantKey = keyOf(connection, schemeName, grant);
      const key = keyOf(connection, schemeName, grant, scopes);
      const token = await tokens.get(key, signal, (shared) => fetchToken(request, grantKey, shared));
      return {
        token,
        refused() {
          tokens.forgetValue(key, token);
          return true;
        },
      };
    },
    forget: (connection) => tokens.forget((key) => key.startsWith(keyPrefix(connection))),
  };
}

async function readRequest(
  { connection, settings, place, scopes }: TokenNeed,
  tokenUrl: string,
  secrets: SecretReader,
  signal: AbortSignal,
): Promise<TokenRequest> {
  const { clientSecret, refreshToken, audience } = settings;
  const clientId = await secrets.read(settings.clientId, `${place}.clientId`, signal, 'public');
  const secret = clientSecret && (await secrets.read(clientSecret, `${place}.clientSecret`, signal));
  const refresh = refreshToken && (await secrets.read(refreshToken, `${place}.refreshToken`, signal));
  return {
    tokenUrl,
    clientId,
    scopes: settings.scopes ?? scopes,
    clientAuthentication: settings.clientAuthentication ?? 'basic',
    ...(secret === undefined ? {} : { clientSecret: secret }),
    ...(refresh === undefined ? {} : { refreshToken: refresh }),
    ...(audience === undefined ? {} : { audience }),
    ...subjectOf(connection, refresh !== undefined, place),
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

function absolute(url: string, { requestUrl, place }: TokenNeed): string {
  const parsed = URL.parse(url, requestUrl);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) {
    parsed.hash = '';
    return parsed.href;
  }
  throw new ToolcribError(
    'configuration_invalid',
    `The token endpoint ${url} is no http or https URL: set ${place}.tokenUrl.`,
  );
}

/** Secrets take part as a hash only. */
function keyOf(connection: Connection, scheme: string, ...parts: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `${keyPrefix(connection)}${JSON.stringify(scheme)} ${hash}`;
}

function keyPrefix({ name }: Connection): string {
  return `${JSON.stringify(name)} `;
}
