import { AFTER_LOST_GRANT, askProvider, formRequest } from '../../credentials/provider-request.ts';
import { basicHint, clientBasic, outOfOrderHint, refusalIn } from '../../credentials/token-endpoint.ts';
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
  const authorization = authenticate(client, endpoint.methods, form);
  const request = formRequest(endpoint.tokenEndpoint, form, authorization);
  const asked = now();
  const { status, json } = await askProvider(egress, request, what, signal, AFTER_LOST_GRANT);
  const accessToken = json?.['access_token'];
  if (status !== 200 || typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
    const { said, oauth } = refusalIn(json, secretsOf(client, grant));
    throw new ToolcribError('credentials_refused', `${what} answered ${status}: ${said}`, {
      status,
      ...(authorization === undefined ? {} : basicHint({ clientId: client.id, clientSecret: client.secret })),
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

/** RFC 6749 §2.3.1, in the form or by the header that it gives; without a secret the client only says who it is. */
export function authenticate(
  { id, secret, method }: OAuthClient,
  methods: readonly string[],
  form: URLSearchParams,
): string | undefined {
  const isUsual = methods.length === 0 || methods.includes('client_secret_basic');
  const isBasic = method === undefined ? isUsual : method === 'client_secret_basic';
  if (secret !== undefined && isBasic) return clientBasic(id, secret);
  form.set('client_id', id);
  if (secret !== undefined) form.set('client_secret', secret);
  return undefined;
}

function secretsOf({ secret }: OAuthClient, grant: Readonly<Record<string, string>>) {
  return [secret, grant['refresh_token'], grant['code'], grant['code_verifier']];
}
