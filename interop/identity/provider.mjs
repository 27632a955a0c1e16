// A company's identity provider: oidc-provider, as its documentation sets it up, on a loopback port.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/** Seconds. Half of it is over before a token is renewed. */
export const FOR_A_RESOURCE = 20;

export const MACHINE = { id: 'nightly job', secret: 'p%ss+w/rd & "more": ~*' };

/** The console of a team's gateway. */
export const CONSOLE = { id: 'toolcrib console', secret: 'c%nsole+/ "secret"' };

/**
 * `port` of one that was stopped starts it anew: with other keys, and nothing that it knew. `events` are the names of
 * what it said of grants, with the grant type; `requests` what came to its endpoints. `team`: where people open a team's gateway.
 */
export async function startProvider({ port = 0, team }) {
  const server = createServer();
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const events = [];
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'notes-app',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      {
        client_id: CONSOLE.id,
        client_secret: CONSOLE.secret,
        redirect_uris: [`${team}/sign-in/answer`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
      machine('basic', 'client_secret_basic'),
      machine('post', 'client_secret_post'),
    ],
    claims: { openid: ['sub'] },
    scopes: ['openid', 'offline_access', 'notes.read', 'tools'],
    cookies: { keys: ['a key of this run'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: {
      AccessToken: (_, { resourceServer }) => resourceServer?.accessTokenTTL ?? 3600,
      ClientCredentials: 3600,
      RefreshToken: 3600,
      Session: 3600,
      Grant: 3600,
      Interaction: 600,
    },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, audience) => ({
          audience,
          scope: 'tools',
          accessTokenFormat: 'jwt',
          accessTokenTTL: FOR_A_RESOURCE,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    jwks: { keys: [await newKey()] },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  });
  const told = (name) => (context) =>
    void events.push(`${name} ${context.oidc?.params?.grant_type ?? ''}`.trim());
  for (const name of ['grant.success', 'grant.error', 'grant.revoked', 'registration_create.success'])
    provider.on(name, told(name));
  provider.on('server_error', (_, error) => console.error('the provider failed:', error));
  server.on('request', provider.callback());
  return {
    url,
    port: server.address().port,
    events,
    count: (event) => events.filter((one) => one === event).length,
    /** Asked as a service asks about a token that it was shown: https://www.rfc-editor.org/rfc/rfc7662 */
    async introspect(token) {
      const answer = await fetch(`${url}/token/introspection`, {
        method: 'POST',
        body: new URLSearchParams({ token, client_id: 'notes-app' }),
      });
      return answer.json();
    },
    /** A good token of the provider, for a resource that is not the gateway. */
    async tokenFor(resource) {
      const fields = {
        grant_type: 'client_credentials',
        client_id: `${MACHINE.id} post`,
        client_secret: MACHINE.secret,
      };
      const answer = await fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...fields, resource }),
      });
      return (await answer.json()).access_token;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

function machine(id, method) {
  return {
    client_id: `${MACHINE.id} ${id}`,
    client_secret: MACHINE.secret,
    token_endpoint_auth_method: method,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    scope: 'notes.read',
  };
}

async function newKey() {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { key_ops: _, ext: __, ...key } = await crypto.subtle.exportKey('jwk', privateKey);
  return { ...key, use: 'sig', alg: 'RS256', kid: crypto.randomUUID() };
}
