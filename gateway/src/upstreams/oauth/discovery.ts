import { readIssuerMetadata, sameIssuer } from '../../credentials/issuer-metadata.ts';
import { askProvider } from '../../credentials/provider-request.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import type { JsonObject } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { trimEndOf } from '../../operations/text/trim-runs.ts';
import { scopesOf } from './challenge.ts';
import type { Remote } from './remote.ts';

/** What a client needs to know to get a token for one server; every URL is https, or http on this machine. */
export interface AuthorizationFacts {
  /** Exactly as its metadata spell it. */
  readonly issuer: string;
  /** The resource indicator (RFC 8707). */
  readonly resource: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint?: string;
  /** What the resource says that it needs; empty where it does not say. */
  readonly scopes: readonly string[];
  readonly methods: readonly string[];
  readonly pkce: boolean;
  readonly issInAnswer: boolean;
  readonly metadataDocuments: boolean;
  /** Refresh tokens are given for `offline_access`. */
  readonly offlineAccess: boolean;
}

/**
 * Protected resource metadata (RFC 9728), then its authorization server's (RFC 8414, OpenID Connect Discovery), as MCP
 * authorization orders them. All URLs are foreign and go through the guarded door. Throws `credentials_refused`,
 * `egress_blocked` or `upstream_unreachable`.
 */
export async function discoverAuthorization(
  egress: Egress,
  { url, oauth }: Pick<Remote, 'url' | 'oauth'>,
  resourceMetadata: string | undefined,
  signal: AbortSignal,
): Promise<AuthorizationFacts> {
  const server = new URL(url);
  const protectedResource = await resourceMetadataOf(egress, server, resourceMetadata, signal);
  const resource = resourceOf(server, protectedResource);
  const issuer = issuerOf(stringsOf(protectedResource?.['authorization_servers']), oauth.issuer, server);
  safeUrl(issuer, 'The issuer', server);
  const metadata = await readIssuerMetadata(egress, issuer, signal);
  if (metadata === undefined) {
    throw refused(`The authorization server ${printable(issuer, 300)} publishes no metadata.`);
  }
  return factsOf(metadata, resource, stringsOf(protectedResource?.['scopes_supported']), server);
}

/** The one that the operator named, where there is one: the server's word does not lead credentials elsewhere. */
function issuerOf(listed: readonly string[], pinned: string | undefined, server: URL): string {
  const [first = server.origin] = listed;
  if (pinned === undefined) return first;
  const known = listed.find((one) => sameIssuer(one, pinned));
  if (known !== undefined || listed.length === 0) return known ?? pinned;
  throw new ToolcribError(
    'credentials_refused',
    `${server.host} signs in at ${printable(first, 300)}, and the configuration names ${pinned}.`,
    { next: 'Ask whoever runs the server. Change `oauth.issuer` only where the new address is theirs.' },
  );
}

async function resourceMetadataOf(
  egress: Egress,
  server: URL,
  named: string | undefined,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const wellKnown = '/.well-known/oauth-protected-resource';
  const path = trimEndOf(server.pathname, '/');
  const places =
    named === undefined
      ? [...new Set([`${wellKnown}${path}`, wellKnown])].map((place) => new URL(place, server))
      : [safeUrl(named, 'The resource metadata URL', server)];
  for (const place of places) {
    const { status, json } = await get(egress, place, 'The protected resource metadata', signal);
    if (status === 200 && json !== undefined) return json;
    if (status >= 500 || named !== undefined) {
      throw refused(
        `The protected resource metadata ${place.href} answered ${status} without a JSON object.`,
      );
    }
  }
  return undefined;
}

/** RFC 9728 §3.3: the metadata are those of the server asked, or of a resource that it lies in. */
function resourceOf(server: URL, metadata: JsonObject | undefined): string {
  if (metadata === undefined) return canonical(server);
  const named = metadata['resource'];
  const resource = typeof named === 'string' ? URL.parse(named) : null;
  const folder = `${trimEndOf(resource?.pathname ?? '', '/')}/`;
  if (resource?.origin !== server.origin || !`${trimEndOf(server.pathname, '/')}/`.startsWith(folder)) {
    throw refused(
      `The protected resource metadata of ${server.origin} are for ${typeof named === 'string' ? printable(named, 300) : 'nothing'}, not for ${canonical(server)}.`,
    );
  }
  return named as string;
}

/** RFC 8707 §2: without fragment; MCP: without a trailing slash where the path says nothing. */
function canonical(server: URL): string {
  return `${server.origin}${server.pathname === '/' ? '' : server.pathname}${server.search}`;
}

function factsOf(
  metadata: JsonObject,
  resource: string,
  scopes: readonly string[],
  server: URL,
): AuthorizationFacts {
  const endpoint = (name: string): string | undefined => {
    const value = metadata[name];
    return value === undefined ? undefined : safeUrl(value, `The ${name}`, server).href;
  };
  const tokenEndpoint = endpoint('token_endpoint');
  if (tokenEndpoint === undefined) throw refused('The authorization server names no token endpoint.');
  const authorizationEndpoint = endpoint('authorization_endpoint');
  const registrationEndpoint = endpoint('registration_endpoint');
  return {
    issuer: metadata['issuer'] as string,
    resource,
    tokenEndpoint,
    ...(authorizationEndpoint === undefined ? {} : { authorizationEndpoint }),
    ...(registrationEndpoint === undefined ? {} : { registrationEndpoint }),
    scopes: scopesOf(scopes.join(' ')),
    methods: stringsOf(metadata['token_endpoint_auth_methods_supported']),
    pkce: stringsOf(metadata['code_challenge_methods_supported']).includes('S256'),
    issInAnswer: metadata['authorization_response_iss_parameter_supported'] === true,
    metadataDocuments: metadata['client_id_metadata_document_supported'] === true,
    offlineAccess: stringsOf(metadata['scopes_supported']).includes('offline_access'),
  };
}

async function get(egress: Egress, url: URL, what: string, signal: AbortSignal) {
  const request = { method: 'GET', url: url.href, headers: [['Accept', 'application/json']] } as const;
  return askProvider(egress, request, `${what} ${url.origin}${url.pathname}`, signal);
}

/** https; http only on this machine, and only where the server itself is reached so. */
function safeUrl(value: unknown, what: string, server: URL): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isSafe =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(server.hostname));
  if (url === null || !isSafe || includesCredentials(url)) {
    throw refused(`${what} ${printable(String(value), 300)}, named by ${server.host}, is no https URL.`);
  }
  return url;
}

export function isLoopback(hostname: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/.test(hostname);
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function refused(message: string): ToolcribError {
  return new ToolcribError('credentials_refused', message, {
    next: 'Ask whoever runs the server: its authorization metadata cannot be used.',
  });
}
