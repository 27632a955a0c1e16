import {
  authenticateClient,
  basicHint,
  type ClientAuthentication,
} from '../../credentials/client-authentication.ts';
import { AFTER_LOST_GRANT, askProvider, formRequest } from '../../credentials/provider-request.ts';
import { outOfOrderHint, refusalIn } from '../../credentials/token-endpoint.ts';
import { lifetimeSeconds } from '../../credentials/token-lifetime.ts';
import type { Egress } from '../../egress/egress.ts';
import { ToolcribError } from '../../errors.ts';
import { scopesOf } from './challenge.ts';
import type { OAuthClient } from './registration.ts';

export interface TokenEndpoint {
  readonly tokenEndpoint: string;
  /** `token_endpoint_auth_methods_supported`. */
  readonly methods: readonly string[];
  readonly resource: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch; absent: the server does not say. */
  readonly expiresAt?: number;
  readonly scopes?: readonly string[];
}

/**
 * One question to the token endpoint, with the resource indicator (RFC 8707); never repeated. Throws
 * `credentials_refused` with the server's own words, without any secret.
 */
export async function exchangeToken(
  egress: Egress,
  endpoint: TokenEndpoint,
  client: OAuthClient,
  grant: Readonly<Record<string, string>>,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<IssuedTokens> {
  const what = `The token endpoint ${endpoint.tokenEndpoint.split(/[?#]/, 1)[0]}`;
  const form = new URLSearchParams({ ...grant, resource: endpoint.resource });
  const shown = shownClient(client, endpoint.methods);
  const request = formRequest(endpoint.tokenEndpoint, form, authenticateClient(shown, form));
  const asked = now();
  const { status, json } = await askProvider(egress, request, what, signal, AFTER_LOST_GRANT);
  const accessToken = json?.['access_token'];
  if (status !== 200 || typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    const { said, oauth } = refusalIn(json, secretsOf(client, grant));
    throw new ToolcribError('credentials_refused', `${what} answered ${status}: ${said}`, {
      status,
      ...basicHint(shown),
      ...outOfOrderHint(status),
      ...(oauth === undefined ? {} : { details: { oauth } }),
    });
  }
  const type = json?.['token_type'];
  if (typeof type !== 'string' || !/^bearer$/i.test(type)) {
    throw new ToolcribError('credentials_refused', `${what} issues no Bearer tokens.`);
  }
  const seconds = lifetimeSeconds(json?.['expires_in']);
  const { refresh_token: refreshToken, scope } = json ?? {};
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && refreshToken !== '' ? { refreshToken } : {}),
    ...(seconds === undefined ? {} : { expiresAt: asked + seconds * 1000 }),
    ...(typeof scope === 'string' ? { scopes: scopesOf(scope) } : {}),
  };
}

/** How `client` shows itself: as it was registered or configured, else by the header where `methods` allow that. */
export function shownClient(
  { id, secret, method }: OAuthClient,
  methods: readonly string[],
): ClientAuthentication {
  const isUsual = methods.length === 0 || methods.includes('client_secret_basic');
  const isBasic = method === undefined ? isUsual : method === 'client_secret_basic';
  return { clientId: id, clientSecret: secret, clientAuthentication: isBasic ? 'basic' : 'body' };
}

function secretsOf({ secret }: OAuthClient, grant: Readonly<Record<string, string>>) {
  return [secret, grant['refresh_token'], grant['code'], grant['code_verifier']];
}
