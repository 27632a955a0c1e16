// A company on loopback: the identity provider at which its people sign in, and the API of its canteen.
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { argv } from 'node:process';
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

/** `person` signs in whenever somebody is asked to; `audience` is what tokens are for in place of the resource. */
export async function startCompany(port = 0) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256' };
  const codes = new Map();
  const company = { person: 'bob', audience: undefined, clients: [] };

  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** Of whoever signed in, an hour long, signed with the key that is published. */
  const signed = (typ, claims) => {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: company.url, sub: company.person, ...claims, iat: now, exp: now + 3600 };
    const text = `${part({ alg: 'ES256', kid: key.kid, typ })}.${part(all)}`;
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  };
  /** RFC 9068: for one resource. */
  const accessToken = (resource, scope) => signed('at+jwt', { aud: company.audience ?? resource, scope });
  /** OpenID Connect Core 1.0 §2: for the client that asked. */
  const idToken = (asked) => signed('JWT', { aud: asked.get('client_id'), nonce: asked.get('nonce') });

  const tokensFor = (form) => {
    const asked = codes.get(form.get('code'));
    codes.delete(form.get('code'));
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (asked?.get('code_challenge') !== challenge || asked.get('resource') !== form.get('resource')) return;
    const scope = asked.get('scope') ?? '';
    const token = accessToken(asked.get('resource'), scope);
    const who = scope.split(' ').includes('openid') ? { id_token: idToken(asked) } : {};
    return { access_token: token, token_type: 'Bearer', expires_in: 3600, scope, ...who };
  };

  const { url, close } = await listenOnLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, company.url);
    const body = async () => Buffer.concat(await Array.fromAsync(request)).toString();
    switch (pathname) {
      case '/.well-known/oauth-authorization-server':
        return answerJson(response, 200, {
          issuer: company.url,
          authorization_endpoint: `${company.url}/authorize`,
          token_endpoint: `${company.url}/token`,
          registration_endpoint: `${company.url}/register`,
          jwks_uri: `${company.url}/keys`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
      case '/keys':
        return answerJson(response, 200, { keys: [key] });
      case '/register': {
        const client = { ...JSON.parse(await body()), client_id: randomUUID() };
        company.clients.push(client.client_name);
        return answerJson(response, 201, client);
      }
      case '/authorize': {
        // a person would see a page here, and sign in
        const code = randomUUID();
        codes.set(code, searchParams);
        const back = new URL(searchParams.get('redirect_uri'));
        back.searchParams.set('code', code);
        if (searchParams.has('state')) back.searchParams.set('state', searchParams.get('state'));
        return response.writeHead(302, { location: back.href }).end();
      }
      case '/token': {
        const tokens = tokensFor(new URLSearchParams(await body()));
        return answerJson(response, tokens ? 200 : 400, tokens ?? { error: 'invalid_grant' });
      }
      case '/menu':
        return answerJson(response, 200, { dishes: ['Lentil soup', 'Apple pie'] });
      default:
        return answerJson(response, 404, { error: 'not_found' });
    }
  }, port);
  return Object.assign(company, { url, close });
}

if (argv[1] === import.meta.filename) console.log((await startCompany(8793)).url);
