import type { Egress } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import { trimEndOf } from '../operations/text/trim-runs.ts';
import { sameIssuer } from './issuer-metadata.ts';
import { askProvider } from './provider-request.ts';

/** What a provider publishes of itself. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly tokenUrl: string;
  /** Where a person signs in. */
  readonly authorizationUrl?: string;
  /** Where tokens are ended (RFC 7009). */
  readonly revocationUrl?: string;
}

/** OpenID Connect Discovery 1.0 §4; RFC 8414. */
export async function discoverProvider(
  egress: Egress,
  discoveryUrl: string,
  signal: AbortSignal,
): Promise<OpenIdProvider> {
  const url = documentUrl(discoveryUrl);
  const what = `The OpenID discovery document ${url.href}`;
  const request = { method: 'GET', url: url.href, headers: [['Accept', 'application/json']] } as const;
  const { status, json } = await askProvider(egress, request, what, signal);
  if (status !== 200 || json === undefined) {
    throw new ToolcribError('credentials_refused', `${what} answered ${status} without a JSON object.`, {
      status,
    });
  }
  if (typeof json['issuer'] !== 'string' || !isIssuerOf(json['issuer'], url)) {
    throw new ToolcribError(
      'credentials_refused',
      `${what} names another issuer than the one it was read from.`,
    );
  }
  const addressOf = (name: string): string | undefined => {
    const named = typeof json[name] === 'string' ? URL.parse(json[name]) : null;
    return named !== null && isAsSafe(named, url) ? named.href : undefined;
  };
  const tokenUrl = addressOf('token_endpoint');
  if (tokenUrl === undefined) {
    throw new ToolcribError('credentials_refused', `${what} names no usable token_endpoint.`);
  }
  const authorizationUrl = addressOf('authorization_endpoint');
  const revocationUrl = addressOf('revocation_endpoint');
  return {
    issuer: json['issuer'],
    tokenUrl,
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(revocationUrl === undefined ? {} : { revocationUrl }),
  };
}

const WELL_KNOWN = '/.well-known/openid-configuration';

/** Documents name the discovery document, or only its issuer. */
function documentUrl(discoveryUrl: string): URL {
  const url = URL.parse(discoveryUrl);
  if (url === null) {
    throw new ToolcribError('source_invalid', `The openIdConnectUrl ${discoveryUrl} is no absolute URL.`);
  }
  if (!url.pathname.includes('/.well-known/')) url.pathname = trimEndOf(url.pathname, '/') + WELL_KNOWN;
  url.hash = '';
  return url;
}

/**
 * OpenID Connect Discovery §4.3: the issuer is the URL without the well-known part, which RFC 8414 §3 puts in front. A
 * slash that ends the issuer is taken away before the part is put there (§4), so that the URL does not tell of it.
 */
function isIssuerOf(issuer: string, document: URL): boolean {
  const [before = '', after = ''] = document.pathname.split(/\/\.well-known\/[^/]+/, 2);
  return sameIssuer(issuer, `${document.origin}${before}${after}`);
}

/** A document read over TLS does not send the secret elsewhere in the clear. */
function isAsSafe(endpoint: URL, document: URL): boolean {
  return endpoint.protocol === 'https:' || (endpoint.protocol === 'http:' && document.protocol === 'http:');
}
