import type { CredentialSettings, UpstreamDefinition } from '../operations/index.ts';
import type { Configuration, EgressConfiguration, SourceConfiguration } from './configuration.ts';
import { azureDestinations, azureOf } from './settings/azure.ts';
import { recordUrls } from './settings/records.ts';
import { upstreamOf } from './settings/upstreams.ts';
import { webDestinations } from './settings/web.ts';

/**
 * What the egress door lets through beyond public addresses: the operator's list, and the origin of every
 * URL that the operator wrote down. What only a document names is not among them.
 */
export function namedDestinations(configuration: Configuration): readonly string[] {
  const { jwt } = configuration.auth;
  const urls = [
    ...Object.values(configuration.sources).flatMap(urlsOf),
    ...(jwt === undefined ? [] : [jwt.issuer, jwt.jwksUrl]),
    ...recordUrls(configuration),
    ...(configuration.chat === undefined ? [] : [configuration.chat.baseUrl]),
    ...(configuration.search?.embeddings === undefined ? [] : [configuration.search.embeddings.baseUrl]),
  ];
  return [...new Set([...configuration.egress.allow, ...originsOf(urls)])];
}

/** Origins of the URLs that the operator wrote down for one source: its calls alone reach them where they are private. */
export function namedOrigins(source: SourceConfiguration): readonly string[] {
  return [...new Set(originsOf(urlsOf(source)))];
}

function originsOf(urls: readonly (string | undefined)[]): string[] {
  return urls
    .filter((url) => url !== undefined)
    .map((url) => URL.parse(url))
    .flatMap((url) => (isHttp(url) ? [url.origin] : []));
}

/** The egress settings of a configuration whose sources may be others by now. */
export function withNamedDestinations(configuration: Configuration): EgressConfiguration {
  const { egress } = configuration;
  return { ...egress, allow: namedDestinations(configuration), redirects: egress.redirects ?? egress.allow };
}

function urlsOf(source: SourceConfiguration): string[] {
  const upstream = upstreamOf(source)?.definition;
  if (upstream !== undefined) return upstreamUrls(upstream);
  const azure = azureOf(source);
  if (azure !== undefined) return azureDestinations(azure);
  if (source.kind === 'skills') return [];
  const { settings, credentials } = source;
  const providers = source.kind === 'web' ? webDestinations(settings) : [];
  const documents =
    typeof settings === 'string'
      ? [settings]
      : Object.values((settings ?? {}) as Record<string, unknown>)
          .flat()
          .filter((value) => typeof value === 'string');
  const schemes: readonly CredentialSettings[] =
    credentials === undefined || credentials === 'none'
      ? []
      : [credentials, ...Object.values(credentials.schemes ?? {})];
  const logins = schemes.map(({ login }) => login?.url);
  return [
    ...[source.baseUrl, ...documents].filter((url) => !isBehindSocket(source, url)),
    ...providers,
    ...schemes.flatMap(({ oauth2, nango }) => [oauth2?.tokenUrl, oauth2?.revocationUrl, nango?.baseUrl]),
    ...logins.filter((url) => !isBehindSocket(source, url)),
  ].filter((url) => url !== undefined);
}

/** Through a socket nothing goes to the host of that name. */
function isBehindSocket({ socketPath, baseUrl }: SourceConfiguration, url: string | undefined): boolean {
  if (socketPath === undefined || baseUrl === undefined || url === undefined) return false;
  return URL.parse(url)?.origin === URL.parse(baseUrl)?.origin;
}

/** An address with a variable that is not set is none yet. */
function upstreamUrls({ transport, unset = [] }: UpstreamDefinition): string[] {
  if (transport.kind === 'stdio') return [];
  const { url, oauth } = transport;
  const issuer = oauth === undefined || oauth === 'none' ? undefined : oauth.issuer;
  const server = unset.some(({ place }) => place === 'url') ? [] : [url];
  return issuer === undefined ? server : [...server, issuer];
}

function isHttp(url: URL | null): url is URL {
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}
