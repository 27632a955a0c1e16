import type { Egress } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import { includesCredentials } from '../operations/http/includes-credentials.ts';
import type { JsonObject } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import { trimEndOf } from '../operations/text/trim-runs.ts';
import { askProvider } from './provider-request.ts';

const ACCEPT: ReadonlyArray<readonly [string, string]> = [['Accept', 'application/json']];

/**
 * The metadata of an authorization server (RFC 8414 §3, OpenID Connect Discovery §4), looked for in the order of MCP
 * authorization; undefined where it publishes none. Their issuer is the one asked for, a slash at the end aside.
 * Throws `credentials_refused`, `egress_blocked`, `upstream_unreachable`.
 */
export async function readIssuerMetadata(
  egress: Egress,
  issuer: string,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  for (const place of metadataPlaces(new URL(issuer))) {
    const what = `The authorization server metadata ${place}`;
    // a redirect, often to a page for people, is no metadata
    const request = { method: 'GET', url: place, headers: ACCEPT, redirect: 'manual' } as const;
    const { status, json } = await askProvider(egress, request, what, signal);
    if (status >= 500) throw refused(`${what} answered ${status}.`);
    // what names no issuer is something else
    if (status !== 200 || json?.['issuer'] === undefined) continue;
    const named = json['issuer'];
    if (typeof named === 'string' && sameIssuer(named, issuer)) return json;
    throw refused(
      `The metadata of the authorization server ${printable(issuer, 300)} name another issuer, ${typeof named === 'string' ? printable(named, 300) : 'none that can be read'}.`,
      'Where both are the same server, name the issuer exactly so in the configuration; else ask whoever runs it.',
    );
  }
  return undefined;
}

/**
 * Where an issuer's keys are, by its metadata; undefined where they do not say. An issuer that is reached by https has
 * its keys there, too. Throws `credentials_refused`.
 */
export function keySetUrlOf(metadata: JsonObject, issuer: string): string | undefined {
  return addressIn(metadata, 'jwks_uri', issuer);
}

/** Where a person signs in, and where the code of the sign-in becomes tokens. */
export interface SignInEndpoints {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** RFC 9207 §3: each answer says which issuer it is of. */
  readonly namesItself: boolean;
  /** The client shows its secret in the form: `client_secret_basic` is not among what the token endpoint takes. */
  readonly authenticatesInBody: boolean;
}

/** RFC 8414 §2. Throws `credentials_refused` where nobody can sign in there, or only in the clear. */
export function signInEndpointsOf(metadata: JsonObject, issuer: string): SignInEndpoints {
  const of = (name: string): string => {
    const url = addressIn(metadata, name, issuer);
    if (url !== undefined) return url;
    throw refused(`The metadata of the authorization server ${printable(issuer, 300)} name no ${name}.`);
  };
  const methods = metadata['token_endpoint_auth_methods_supported'];
  return {
    authorizationUrl: of('authorization_endpoint'),
    tokenUrl: of('token_endpoint'),
    namesItself: metadata['authorization_response_iss_parameter_supported'] === true,
    authenticatesInBody:
      Array.isArray(methods) &&
      methods.includes('client_secret_post') &&
      !methods.includes('client_secret_basic'),
  };
}

/** Where tokens are ended (RFC 7009), and how clients show themselves there; undefined where nobody says where. */
export function revocationOf(
  metadata: JsonObject,
  issuer: string,
): { readonly url: string; readonly methods: readonly string[] | undefined } | undefined {
  const url = addressIn(metadata, 'revocation_endpoint', issuer);
  const methods = metadata['revocation_endpoint_auth_methods_supported'];
  return url === undefined
    ? undefined
    : { url, methods: Array.isArray(methods) ? methods.filter((one) => typeof one === 'string') : undefined };
}

/** Of an issuer that is reached by https, too; undefined where the metadata do not name it. */
function addressIn(metadata: JsonObject, name: string, issuer: string): string | undefined {
  const named = metadata[name];
  if (named === undefined) return undefined;
  const url = typeof named === 'string' ? URL.parse(named) : null;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && new URL(issuer).protocol === 'http:');
  if (url !== null && isSafe && !includesCredentials(url)) return url.href;
  throw refused(`The ${name} of the authorization server ${printable(issuer, 300)} is no https URL.`);
}

/** A slash at the end makes no other. */
export function sameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function metadataPlaces({ origin, pathname }: URL): ReadonlySet<string> {
  const path = trimEndOf(pathname, '/');
  return new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]);
}

function refused(
  message: string,
  next = 'Ask whoever runs the authorization server: its metadata cannot be used.',
): ToolcribError {
  return new ToolcribError('credentials_refused', message, { next });
}
