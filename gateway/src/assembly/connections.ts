import { namedOrigins } from '../config/allowed-destinations.ts';
import type { SourceConfiguration } from '../config/configuration.ts';
import { upstreamOf } from '../config/settings/upstreams.ts';
import { ToolcribError } from '../errors.ts';
import {
  type Account,
  type Connection,
  type ConnectionCredentials,
  DEFAULT_LIMITS,
  type ProviderFacts,
  type SecurityScheme,
  UPSTREAM_TIMEOUT_MS,
} from '../operations/index.ts';
import { accountKey } from './account-key.ts';
import { definitionKey } from './upstreams/definition-key.ts';

/** The gateway's own HTTP API, reached inside the process. */
export const SELF_ORIGIN = 'http://self.toolcrib.internal';

interface Origin {
  readonly source: SourceConfiguration;
  readonly provider: ProviderFacts | undefined;
}

const ORIGINS = new WeakMap<Connection, Origin>();

/** What a connection was made from. A catalog that is served may be older than the configuration: the two are not mixed. */
export function originOf(connection: Connection): Origin | undefined {
  return ORIGINS.get(connection);
}

/** What the configuration says about a source's account, with defaults filled in. */
export function connectionOf(
  name: string,
  source: SourceConfiguration,
  securitySchemes: Readonly<Record<string, SecurityScheme>>,
  provider?: ProviderFacts,
): Connection {
  const baseUrl =
    source.kind === 'self' ? SELF_ORIGIN : (source.baseUrl ?? regionUrl(provider, source.region));
  const upstream = upstreamOf(source);
  const configuredAccount = accountKey(source);
  const connection: Connection = {
    name,
    source: name,
    securitySchemes,
    named: namedOrigins(source),
    limits: {
      timeoutMs: source.timeoutMs ?? (source.kind === 'mcp' ? UPSTREAM_TIMEOUT_MS : DEFAULT_LIMITS.timeoutMs),
      maxBytes: source.maxBytes ?? DEFAULT_LIMITS.maxBytes,
      maxRedirects: DEFAULT_LIMITS.maxRedirects,
      maxAttempts: source.maxAttempts ?? DEFAULT_LIMITS.maxAttempts,
      concurrency: source.concurrency ?? DEFAULT_LIMITS.concurrency,
      maxTextLength: source.maxTextLength ?? DEFAULT_LIMITS.maxTextLength,
    },
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(source.serverVariables === undefined ? {} : { serverVariables: source.serverVariables }),
    ...(upstream === undefined ? {} : { upstream: definitionKey(upstream.definition) }),
    ...(configuredAccount === undefined ? {} : { configuredAccount }),
    ...(source.credentials === undefined ? {} : { credentials: source.credentials }),
    ...(source.socketPath === undefined ? {} : { socketPath: source.socketPath }),
    ...(source.tls === undefined ? {} : { tls: source.tls }),
    ...(source.headers === undefined ? {} : { headers: source.headers }),
    ...(source.region === undefined ? {} : { region: source.region }),
    ...(source.actingUser === undefined ? {} : { actingUser: source.actingUser }),
    ...providerPart(provider),
  };
  ORIGINS.set(connection, { source, provider });
  return connection;
}

function providerPart(provider: ProviderFacts | undefined): Partial<Connection> {
  if (provider === undefined) return {};
  return {
    provider: provider.provider,
    blocklist: provider.blocklist,
    ...(provider.rateLimit === undefined ? {} : { rateLimit: provider.rateLimit }),
    ...(provider.actingUser === undefined ? {} : { actingUserPlace: provider.actingUser }),
  };
}

/** A token is valid in its own region only: an unknown one is refused, never replaced by another. */
function regionUrl(provider: ProviderFacts | undefined, region: string | undefined): string | undefined {
  if (provider === undefined || region === undefined) return provider?.baseUrl;
  if (Object.hasOwn(provider.regions, region)) return provider.regions[region]!.baseUrl;
  const known = Object.keys(provider.regions).join(', ') || 'none';
  throw new ToolcribError(
    'configuration_invalid',
    `${provider.displayName} has no region "${region}"; it has: ${known}.`,
    { details: { provider: provider.provider, region } },
  );
}

/**
 * The source's connection for one stored account. Its credentials are the account's own, never the configuration's:
 * only where a Nango is, and its key, come from there, so that nobody can send them elsewhere.
 */
export function accountConnection(
  base: Connection,
  account: Account,
  { source, provider }: Origin,
): Connection {
  const { credentials: configured, configuredAccount: _key, ...unnamed } = base;
  const { actingUser: _own, baseUrl: _url, socketPath, headers, tls, ...rest } = unnamed;
  const baseUrl = account.baseUrl ?? source.baseUrl ?? regionUrl(provider, account.region ?? source.region);
  const credentials = accountCredentials(configured, account.credentials);
  return {
    ...rest,
    name: `${base.name}#${account.id}`,
    account: account.id,
    accountOwner: account.owner,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(account.region === undefined ? {} : { region: account.region }),
    ...(account.serverVariables === undefined
      ? {}
      : { serverVariables: { ...base.serverVariables, ...account.serverVariables } }),
    ...(credentials === undefined ? {} : { credentials }),
    // The configuration's headers may hold a key: they go where the configuration says, nowhere else; so does its certificate.
    ...(headers === undefined || account.baseUrl !== undefined ? {} : { headers }),
    ...(tls === undefined || account.baseUrl !== undefined ? {} : { tls }),
    ...(socketPath === undefined || account.baseUrl !== undefined ? {} : { socketPath }),
    ...(account.actingUser === undefined ? {} : { actingUser: account.actingUser }),
  };
}

function accountCredentials(
  configured: ConnectionCredentials | undefined,
  own: ConnectionCredentials | undefined,
): ConnectionCredentials | undefined {
  if (own === undefined || own === 'none' || own.nango === undefined) return own;
  const { secretKey: _key, baseUrl: _url, ...nango } = own.nango;
  const place = configured === undefined || configured === 'none' ? undefined : configured.nango;
  return { ...own, nango: { ...place, ...nango } };
}
