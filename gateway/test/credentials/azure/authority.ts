import { createEgress, type Egress } from '../../../src/egress/index.ts';
import { jwt } from './jwt.ts';

export const AUTHORITY = 'https://login.crib.example';

export interface Authority {
  /** A door to which the sign-in service lies inside this process. */
  readonly egress: Egress;
  /** Forms that the token endpoint was sent. */
  readonly forms: URLSearchParams[];
  /** Paths in the order of the requests. */
  readonly paths: string[];
}

type Answer = (form: URLSearchParams) => Promise<Response> | Response;

/** A sign-in service as Microsoft Entra ID is one: metadata, tokens, device codes. */
export function startAuthority(
  token: Answer,
  device: Answer = () => Response.json({ error: 'invalid_request' }, { status: 400 }),
): Authority {
  const forms: URLSearchParams[] = [];
  const paths: string[] = [];
  const egress = createEgress({
    local: {
      [AUTHORITY]: async (request) => {
        const { pathname } = new URL(request.url);
        paths.push(pathname);
        const tenant = pathname.split('/')[1];
        if (pathname.endsWith('/openid-configuration')) {
          const base = `${AUTHORITY}/${tenant}`;
          return Response.json({
            issuer: `${base}/v2.0`,
            authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
            token_endpoint: `${base}/oauth2/v2.0/token`,
            device_authorization_endpoint: `${base}/oauth2/v2.0/devicecode`,
            jwks_uri: `${base}/discovery/v2.0/keys`,
          });
        }
        const form = new URLSearchParams(await request.text());
        if (pathname.endsWith('/devicecode')) return device(form);
        forms.push(form);
        return token(form);
      },
    },
  });
  return { egress, forms, paths };
}

/** The answer of a token endpoint, with what MSAL wants to know of the person. */
export function tokenAnswer(accessToken: string, expiresIn = 3600): Response {
  const ids = { oid: 'o-1', tid: 't-1', sub: 's-1', iss: `${AUTHORITY}/t-1/v2.0`, preferred_username: 'ada' };
  return Response.json({
    token_type: 'Bearer',
    expires_in: expiresIn,
    access_token: accessToken,
    refresh_token: 'refresh-secret-value',
    scope: 'https://management.azure.com/.default',
    id_token: jwt({ ...ids, aud: '04b07795', ver: '2.0' }),
    client_info: Buffer.from(JSON.stringify({ uid: 'o-1', utid: 't-1' })).toString('base64url'),
  });
}
