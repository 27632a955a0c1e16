import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** What a test can make the authorization server do; may be changed while it runs. */
export interface OAuthBehaviour {
  /** Written over the published metadata; undefined takes a member away. */
  metadata: Record<string, unknown>;
  /** `expires_in` of what it issues, seconds, or what no server should say; undefined: not said. */
  lifetimeSeconds: unknown;
  /** A refresh token is good once, and a new one comes with every answer. */
  rotates: boolean;
  registers: boolean;
  /** Written over the answer to a registration. */
  registered: Record<string, unknown>;
  /** What it calls a refresh token that it does not take; undefined: it answers 400 and nothing else. */
  refusal: string | undefined;
  /** What it grants in place of the scopes that were asked for. */
  granted: string | undefined;
  /** Written over answers that give a token. */
  issued: Record<string, unknown>;
  /** It ends tokens (RFC 7009), and says where. */
  revokes: boolean;
  /** What it answers in place of ending a token, by the kind of the token. */
  revocationErrors: { [hint in 'access_token' | 'refresh_token']?: string };
  /** It answers 503, whatever it is asked for. */
  isAway: boolean;
  /** Sent back by the browser instead of the right ones. */
  answer: { state?: string; iss?: string | null; error?: string };
  /**
   * Who signs in: access tokens are JWTs (RFC 9068) for the resource asked for, signed by a key that is published.
   * Undefined: they say nothing.
   */
  subject: string | undefined;
  /** What its JWTs are for, in place of the resource. */
  audience: string | undefined;
  /** Written over the claims of ID tokens, which whoever asks for `openid` gets; undefined takes a claim away. */
  idClaims: Record<string, unknown>;
  /** No token answer leaves before this settles. */
  held: Promise<unknown> | undefined;
  /** What the address of its keys answers instead of them. */
  keySet: unknown;
}

export interface OAuthDouble {
  readonly origin: string;
  readonly behaviour: OAuthBehaviour;
  /** Forms that the token endpoint got, with the `Authorization` header as `authorization`. */
  readonly grants: readonly Record<string, string>[];
  readonly registrations: readonly Record<string, unknown>[];
  /** Forms that its revocation endpoint got, likewise. */
  readonly revocations: readonly Record<string, string>[];
  /** Whether an access token is good, and for which scopes. */
  scopesOf(accessToken: string): readonly string[] | undefined;
  /** Takes back every token of one kind. */
  revoke(kind: 'access' | 'refresh'): void;
  /** A person's browser: opens the address, agrees, and comes back to the client. */
  agree(authorizationUrl: string): Promise<Response>;
  /** Nobody listens any more. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

interface Consent {
  readonly query: URLSearchParams;
  readonly scope: string;
}

/** What a refresh token is good for. */
interface Grant {
  readonly scope: string;
  readonly resource: string;
  /** OpenID Connect Core 1.0 §3.1.2.1. */
  readonly openid?: { readonly clientId: string; readonly nonce: string | null };
}

/** OAuth 2.1 with PKCE, RFC 7591 registration, RFC 8707 resources and RFC 9207 issuers, with JWTs on demand, on a port of 127.0.0.1. */
export async function startOAuthServer(): Promise<OAuthDouble> {
  const behaviour: OAuthBehaviour = {
    metadata: {},
    lifetimeSeconds: 3600,
    rotates: true,
    registers: true,
    registered: {},
    refusal: 'invalid_grant',
    granted: undefined,
    issued: {},
    revokes: true,
    revocationErrors: {},
    isAway: false,
    answer: {},
    subject: undefined,
    audience: undefined,
    idClaims: {},
    held: undefined,
    keySet: undefined,
  };
  const access = new Map<string, readonly string[]>();
  const refresh = new Map<string, Grant>();
  const consents = new Map<string, Consent>();
  const grants: Record<string, string>[] = [];
  const revocations: Record<string, string>[] = [];
  const registrations: Record<string, unknown>[] = [];
  let origin = '';

  const keys = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'first', alg: 'ES256' };
  const jwtFor = ({ scope, resource }: Grant, subject: string): Promise<string> =>
    new SignJWT({ scope })
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid, typ: 'at+jwt' })
      .setIssuer(origin)
      .setSubject(subject)
      .setAudience(behaviour.audience ?? resource)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${behaviour.lifetimeSeconds ?? 3600}s`)
      .sign(keys.privateKey);

  const idTokenFor = async ({ openid }: Grant): Promise<Record<string, unknown>> => {
    const { subject, idClaims } = behaviour;
    if (openid === undefined || subject === undefined) return {};
    const now = Math.floor(Date.now() / 1000);
    const { clientId, nonce } = openid;
    const claims = { iss: origin, sub: subject, aud: clientId, nonce, iat: now, exp: now + 300, ...idClaims };
    const token = new SignJWT(JSON.parse(JSON.stringify(claims)));
    token.setProtectedHeader({ alg: 'ES256', kid: jwk.kid });
    return { id_token: await token.sign(keys.privateKey) };
  };

  const issue = async (asked: Grant, withRefresh: boolean): Promise<Record<string, unknown>> => {
    const granted = { ...asked, scope: behaviour.granted ?? asked.scope };
    const { scope } = granted;
    const { subject } = behaviour;
    const accessToken = subject === undefined ? `access-${randomUUID()}` : await jwtFor(granted, subject);
    const refreshToken = `refresh-${randomUUID()}`;
    access.set(accessToken, scope.split(' ').filter(Boolean));
    if (withRefresh) refresh.set(refreshToken, granted);
    const { lifetimeSeconds } = behaviour;
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      scope,
      ...(lifetimeSeconds === undefined ? {} : { expires_in: lifetimeSeconds }),
      ...(withRefresh ? { refresh_token: refreshToken } : {}),
      ...(await idTokenFor(asked)),
      ...behaviour.issued,
    };
  };

  const grant = async (form: URLSearchParams): Promise<Record<string, unknown> | string | undefined> => {
    const resource = form.get('resource') ?? '';
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const consent = consents.get(form.get('code') ?? '');
        consents.delete(form.get('code') ?? '');
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        const fits =
          consent?.query.get('code_challenge') === challenge &&
          consent.query.get('redirect_uri') === form.get('redirect_uri') &&
          (consent.query.get('resource') ?? '') === resource;
        if (!consent || !fits) return behaviour.refusal;
        const [clientId, nonce] = ['client_id', 'nonce'].map((name) => consent.query.get(name));
        const isOpenId = consent.scope.split(' ').includes('openid');
        const openid = isOpenId ? { openid: { clientId: clientId!, nonce: nonce! } } : {};
        return issue({ scope: consent.scope, resource, ...openid }, true);
      }
      case 'refresh_token': {
        const token = form.get('refresh_token') ?? '';
        const granted = refresh.get(token);
        if (granted === undefined) return behaviour.refusal;
        if (behaviour.rotates) refresh.delete(token);
        return issue(granted, behaviour.rotates);
      }
      case 'client_credentials':
        return issue({ scope: form.get('scope') ?? '', resource }, false);
      default:
        return 'unsupported_grant_type';
    }
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, origin);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const answer = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      return answer(200, { ...metadataOf(origin, behaviour), ...behaviour.metadata });
    }
    if (url.pathname === '/keys') return answer(200, behaviour.keySet ?? { keys: [jwk] });
    if (url.pathname === '/register' && behaviour.registers) {
      registrations.push(JSON.parse(body));
      const client_id = `client-${registrations.length}`;
      return answer(201, { ...JSON.parse(body), client_id, ...behaviour.registered });
    }
    if (url.pathname === '/authorize') {
      const code = randomUUID();
      consents.set(code, { query: url.searchParams, scope: url.searchParams.get('scope') ?? '' });
      const back = new URL(url.searchParams.get('redirect_uri')!);
      const { state = url.searchParams.get('state')!, iss = origin, error } = behaviour.answer;
      back.searchParams.set('state', state);
      if (iss !== null) back.searchParams.set('iss', iss);
      back.searchParams.set(error === undefined ? 'code' : 'error', error ?? code);
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === '/revoke' && request.method === 'POST') {
      const form = Object.fromEntries(new URLSearchParams(body));
      const { authorization } = request.headers;
      if (behaviour.isAway) return response.writeHead(503).end();
      revocations.push({ ...form, ...(authorization === undefined ? {} : { authorization }) });
      const token = form['token']!;
      const error = behaviour.revocationErrors[form['token_type_hint'] as 'access_token' | 'refresh_token'];
      if (error !== undefined) return answer(400, { error, error_description: `no: ${token}` });
      access.delete(token);
      refresh.delete(token);
      return response.writeHead(200).end();
    }
    if (url.pathname === '/token' && request.method === 'POST') {
      const form = new URLSearchParams(body);
      const { authorization } = request.headers;
      if (behaviour.isAway) return response.writeHead(503).end();
      grants.push({ ...Object.fromEntries(form), ...(authorization === undefined ? {} : { authorization }) });
      const result = await grant(form);
      await behaviour.held;
      if (result === undefined) return response.writeHead(400).end();
      return typeof result === 'string'
        ? answer(result === 'invalid_client' ? 401 : 400, {
            error: result,
            error_description: `no: ${form.get('refresh_token')}`,
          })
        : answer(200, result);
    }
    return answer(404, { error: 'not_found' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return {
    origin,
    behaviour,
    grants,
    revocations,
    registrations,
    scopesOf: (token) => access.get(token),
    revoke: (kind) => (kind === 'access' ? access : refresh).clear(),
    async agree(authorizationUrl) {
      const first = await fetch(authorizationUrl, { redirect: 'manual' });
      return fetch(first.headers.get('location')!);
    },
    stop,
    close: stop,
  };
}

function metadataOf(origin: string, { registers, revokes }: OAuthBehaviour): Record<string, unknown> {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    ...(revokes ? { revocation_endpoint: `${origin}/revoke` } : {}),
    ...(registers ? { registration_endpoint: `${origin}/register` } : {}),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  };
}
