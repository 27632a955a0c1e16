import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';
import { basicCredentials } from './provider-double.ts';
import { fixedWindow } from './rate-window.ts';

export interface GreenhouseTokens {
  /** Base URL without `/token`. */
  readonly service: LoopbackService;
  /** Whom a request's bearer token was given to; undefined: no token, an unknown one, or one that has ended. */
  holder(request: ReceivedRequest): { readonly client: string; readonly subject?: string } | undefined;
  expireAll(): void;
}

interface Holder {
  readonly client: string;
  readonly subject?: string;
  readonly endsAt: number;
}

/** Token requests in 60 seconds; counted apart from the API's. */
const TOKEN_LIMIT = 60;

/** The authorisation server of Harvest v3: client credentials by Basic, a form body, `sub` for who acts. */
export async function startGreenhouseTokens(options: {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly expiresIn?: number;
}): Promise<GreenhouseTokens> {
  const { clientId = 'gh-client', clientSecret = 'gh-secret', expiresIn = 3600 } = options;
  const given = new Map<string, Holder>();
  const limiter = fixedWindow(TOKEN_LIMIT, 60_000);
  const key = randomBytes(32);
  const service = await startLoopbackService('', (request) => {
    if (request.method !== 'POST' || request.path !== '/token') return { status: 404 };
    const client = basicCredentials(request);
    if (client === undefined) return failure(401, 'invalid_client');
    if (!limiter(client.user).allowed) {
      return { ...failure(429, 'too_many_requests'), headers: { 'retry-after': '60' } };
    }
    if (client.user !== clientId || client.password !== clientSecret) return failure(401, 'invalid_client');
    return grant(request, client.user);
  });

  function grant(request: ReceivedRequest, client: string): Answer {
    const type = request.headers['content-type'] ?? '';
    if (!type.startsWith('application/x-www-form-urlencoded')) return failure(400, 'invalid_request');
    const form = new URLSearchParams(request.body.toString());
    if (form.get('grant_type') !== 'client_credentials') return failure(400, 'unsupported_grant_type');
    const subject = form.get('sub') ?? undefined;
    const endsAt = Date.now() + expiresIn * 1000;
    const token = signed(
      { iss: service.url, sub: subject ?? null, exp: Math.floor(endsAt / 1000), jti: randomUUID() },
      key,
    );
    given.set(token, { client, endsAt, ...(subject === undefined ? {} : { subject }) });
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: expiresIn } };
  }

  return {
    service,
    holder({ headers }) {
      const [, token] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
      const holder = token === undefined ? undefined : given.get(token);
      return holder !== undefined && holder.endsAt > Date.now() ? holder : undefined;
    },
    expireAll: () => given.clear(),
  };
}

const failure = (status: number, error: string): Answer => ({ status, body: { error } });

/** A JSON Web Token (RFC 7519) under HS256. */
function signed(claims: object, key: Buffer): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}
