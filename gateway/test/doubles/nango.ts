import {
  type Answer,
  type LoopbackService,
  type ReceivedRequest,
  startLoopbackService,
} from './loopback-service.ts';

/** A connection as a test describes it; `credentials` as the service would answer them, without times. */
export interface DoubleConnection {
  readonly id: string;
  readonly integration: string;
  readonly provider?: string;
  /** `type` decides: only OAUTH2, OAUTH2_CC and APP expire and are refreshed. */
  readonly credentials: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly config?: Readonly<Record<string, unknown>>;
  readonly endUser?: { readonly id: string; readonly email?: string };
  /** Milliseconds that a token lives; default an hour. Absent times: `null`. */
  readonly lifetimeMs?: number | null;
}

export interface HeldConnection {
  /** How often the token was renewed. */
  readonly refreshes: number;
  /** Renewed tokens are the first one with this appended: `token`, `token.1`, `token.2`. */
  readonly currentToken: string;
  /** The provider takes the refresh token no more: every refresh fails with this status from now on. */
  breakRefresh(status: 400 | 424 | 500): void;
  /** Connected again by its owner. */
  mend(): void;
}

export interface NangoDouble extends LoopbackService {
  readonly secretKey: string;
  add(connection: DoubleConnection): HeldConnection;
  remove(id: string): void;
  /** Which of the two spellings of the connection route exist; default both. */
  offer(routes: 'both' | 'current' | 'deprecated'): void;
  /** `{error: {code, message}}`, or `{message}` as older versions answer. */
  speak(shape: 'current' | 'old'): void;
  /** The next `count` requests get 429 with this Retry-After. */
  refuse(count: number, retryAfter: string): void;
  /** Connect sessions that were made, newest last. */
  readonly sessions: readonly { readonly token: string; readonly body: unknown }[];
}

interface Held {
  readonly description: DoubleConnection;
  refreshes: number;
  expiresAt: number | null;
  broken: 400 | 424 | 500 | undefined;
}

/** The service refreshes what ends within this time. */
const REFRESH_BUFFER_MS = 15 * 60_000;
const SESSION_LIFETIME_MS = 30 * 60_000;
const TOKEN_MEMBER: Readonly<Record<string, string>> = {
  OAUTH2: 'access_token',
  OAUTH2_CC: 'token',
  APP: 'access_token',
};

/** Nango's API on the loopback, as far as connections and connect sessions go. */
export async function startNango({
  secretKey = 'nango-double-secret-key-7f3a',
  refreshBufferMs = REFRESH_BUFFER_MS,
}: {
  secretKey?: string;
  refreshBufferMs?: number;
} = {}): Promise<NangoDouble> {
  const connections = new Map<string, Held>();
  const sessions: { token: string; body: unknown }[] = [];
  let routes: 'both' | 'current' | 'deprecated' = 'both';
  let shape: 'current' | 'old' = 'current';
  let refusals = 0;
  let retryAfter = '1';

  const fail = (status: number, code: string, message: string): Answer => ({
    status,
    body: shape === 'current' ? { error: { code, message } } : { message },
  });

  const tokenOf = ({ description: { credentials }, refreshes }: Held): string => {
    const member = TOKEN_MEMBER[credentials.type];
    const first = String(member === undefined ? '' : credentials[member]);
    return refreshes === 0 ? first : `${first}.${refreshes}`;
  };

  const refresh = (held: Held, force: boolean): Answer | undefined => {
    if (TOKEN_MEMBER[held.description.credentials.type] === undefined) return undefined;
    const due = force || (held.expiresAt !== null && held.expiresAt - Date.now() < refreshBufferMs);
    if (!due) return undefined;
    if (held.broken !== undefined) {
      const [code, message] =
        held.broken === 500
          ? ['server_error', 'Failed to refresh or test credentials']
          : ['refresh_token_external_error', 'The external API returned an error when refreshing the token'];
      return fail(held.broken, code!, message!);
    }
    held.refreshes++;
    held.expiresAt = expiryOf(held.description);
    return undefined;
  };

  const connection = (id: string, { query }: ReceivedRequest): Answer => {
    const asked = new Map(query);
    const integration = asked.get('provider_config_key');
    if (integration === undefined) {
      return fail(400, 'invalid_query_params', 'provider_config_key is required');
    }
    if (![...connections.values()].some((one) => one.description.integration === integration)) {
      return fail(400, 'unknown_provider_config', 'Provider does not exist');
    }
    const held = connections.get(id);
    if (held === undefined || held.description.integration !== integration) {
      return fail(404, 'not_found', 'Failed to find connection');
    }
    const failed = refresh(held, asked.get('force_refresh') === 'true');
    return failed ?? { status: 200, body: connectionBody(held, asked.get('refresh_token') === 'true') };
  };

  const connectionBody = (held: Held, withRefreshToken: boolean) => {
    const { id, integration, provider = integration, credentials, config = {}, endUser } = held.description;
    const member = TOKEN_MEMBER[credentials.type];
    const token = tokenOf(held);
    return {
      id: 1,
      connection_id: id,
      provider_config_key: integration,
      provider,
      errors: held.broken === undefined ? [] : [{ type: 'auth', log_id: 'log-1' }],
      end_user: endUser === undefined ? null : { tags: {}, organization: null, ...endUser },
      metadata: {},
      connection_config: config,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: new Date().toISOString(),
      last_fetched_at: new Date().toISOString(),
      credentials: {
        ...credentials,
        ...(member === undefined ? {} : { [member]: token }),
        ...(member === undefined || held.expiresAt === null
          ? {}
          : { expires_at: new Date(held.expiresAt).toISOString() }),
        ...(withRefreshToken ? { refresh_token: `refresh-of-${id}` } : {}),
        raw: { ...(member === undefined ? {} : { access_token: token }), id_token: `raw-id-token-of-${id}` },
      },
    };
  };

  const openSession = (body: unknown): Answer => {
    const token = `nango_connect_session_${(sessions.length + 1).toString().padStart(4, '0')}${'c0ffee'.repeat(9)}`;
    sessions.push({ token, body });
    return {
      status: 201,
      body: {
        data: {
          token,
          connect_link: `https://connect.nango.dev/?session_token=${token}`,
          expires_at: new Date(Date.now() + SESSION_LIFETIME_MS).toISOString(),
        },
      },
    };
  };

  const connectSession = (body: Record<string, unknown>): Answer => {
    const endUser = body['end_user'] as { id?: unknown } | undefined;
    if (typeof endUser?.id !== 'string') return fail(400, 'invalid_body', 'end_user.id is required');
    return openSession(body);
  };

  const reconnectSession = (body: Record<string, unknown>): Answer => {
    const held = connections.get(String(body['connection_id']));
    if (held?.description.integration !== body['integration_id']) {
      return fail(400, 'unknown_connection', 'No connection matches');
    }
    return openSession(body);
  };

  const answer = (request: ReceivedRequest): Answer => {
    if (refusals > 0) {
      refusals--;
      return {
        ...fail(429, 'too_many_request', 'Too many requests'),
        headers: { 'retry-after': retryAfter },
      };
    }
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return fail(401, 'unknown_user_account', 'Authentication failed. The provided secret key is unknown.');
    }
    const [, resource = '', id = ''] = request.path.split('/').map(decodeURIComponent);
    if (request.method === 'GET' && id !== '') {
      if (resource === 'connections' && routes !== 'deprecated') return connection(id, request);
      if (resource === 'connection' && routes !== 'current') return connection(id, request);
    }
    if (request.method === 'POST' && request.path === '/connect/sessions') {
      return connectSession(jsonOf(request));
    }
    if (request.method === 'POST' && request.path === '/connect/sessions/reconnect') {
      return reconnectSession(jsonOf(request));
    }
    return {
      status: 404,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: `<pre>Cannot ${request.method} ${request.path}</pre>`,
    };
  };

  const service = await startLoopbackService('', answer);
  return Object.assign(service, {
    secretKey,
    sessions,
    add(description: DoubleConnection): HeldConnection {
      const held: Held = { description, refreshes: 0, expiresAt: expiryOf(description), broken: undefined };
      connections.set(description.id, held);
      return {
        get refreshes() {
          return held.refreshes;
        },
        get currentToken() {
          return tokenOf(held);
        },
        breakRefresh(status) {
          held.broken = status;
          held.expiresAt = Date.now();
        },
        mend() {
          held.broken = undefined;
        },
      };
    },
    remove: (id: string) => void connections.delete(id),
    offer(offered: typeof routes) {
      routes = offered;
    },
    speak(spoken: typeof shape) {
      shape = spoken;
    },
    refuse(count: number, after: string) {
      refusals = count;
      retryAfter = after;
    },
  });
}

function expiryOf({ lifetimeMs = 3_600_000 }: DoubleConnection): number | null {
  return lifetimeMs === null ? null : Date.now() + lifetimeMs;
}

function jsonOf({ body }: ReceivedRequest): Record<string, unknown> {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return {};
  }
}
