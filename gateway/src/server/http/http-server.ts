import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { ServerConfiguration } from '../../config/configuration.ts';
import { DEFAULTS } from '../../config/defaults.ts';
import { isLoopbackHost } from '../../config/server-address.ts';
import { ToolcribError } from '../../errors.ts';
import type { Listening } from '../../gateway-core.ts';
import { gatewayStops } from '../../operations/work/gateway-stops.ts';
import { withinTime } from '../../operations/work/within-time.ts';
import { createMemorySessions } from '../../principals/sessions/memory-sessions.ts';
import { serveConsole } from '../console/serve-console.ts';
import { createAsking } from '../held/asking.ts';
import { createMcpHttp, type McpHttpOptions } from '../mcp/http/mcp-http.ts';
import { countOpenCalls } from '../open-calls.ts';
import { createOpenRequests } from '../open-requests.ts';
import { createOpenStreams, EVENT_STREAMS } from '../open-streams.ts';
import { type Answer, WholeAnswer } from '../whole-answer.ts';
import type { GatewayAdmin } from './admin/gateway-admin.ts';
import { createApi } from './api.ts';
import { errorResponse, mcpErrorResponse } from './error-response.ts';
import { type Authenticate, createGuards, type IsApprover } from './guards.ts';
import { createAddresses, FLUSH_MS } from './listening/addresses.ts';
import type { ReadCertificate } from './listening/server-certificate.ts';
import { createMetrics } from './metrics.ts';
import {
  challengeOf,
  isMcp,
  isResourceMetadata,
  originOf,
  type ProtectedResource,
  serveResourceMetadata,
} from './protected-resource.ts';
import { createReception, type RequestOwner } from './reception.ts';
import { finish, preflight } from './response-headers.ts';
import { refuseApprover } from './route-access.ts';
import { createSaidOnce } from './said-once.ts';
import { createSessions, type Sessions, type SessionsOptions } from './sessions/create-sessions.ts';

export interface HttpServer {
  /** Any request, all guards applied. */
  fetch(request: Request): Promise<Response>;
  /** Answers as if this principal had sent the request; for the gateway itself. */
  fetchAs(request: Request, owner: Omit<RequestOwner, 'session'>): Promise<Response>;
  /** Throws `port_in_use`, `configuration_invalid`. */
  listen(address?: { host?: string; port?: number }): Promise<Listening>;
  /** Stops accepting, lets open calls finish for `drainMs`, then cuts what is left. */
  close(): Promise<void>;
}

export interface HttpServerOptions extends Pick<McpHttpOptions, 'sessions' | 'onError'> {
  /** Given where a team uses the gateway: keys and sign-in tokens are what lets callers in. */
  readonly authenticate?: Authenticate;
  /** Whether a bearer is the token with which the owner of this machine decides approvals. */
  readonly isApprover?: IsApprover;
  /** Given where callers show sign-in tokens: clients are told where they are had. */
  readonly signInAt?: Omit<ProtectedResource, 'publicUrl'>;
  /** What browsers sign in with and where they are kept; absent: by the server's token, in this process. */
  readonly signIn?: SignIn;
  /** Folder of the built console; absent: none is served. */
  readonly consoleFolder?: string;
  /** What it shows where it listens, in TLS; absent: it speaks http. */
  readonly certificate?: ReadCertificate;
}

type SignIn = Partial<Omit<SessionsOptions, 'mode' | 'token' | 'idleMs' | 'absoluteMs'>>;

/** What calls that are cut off may take to be written and told, milliseconds. */
const LAST_WORDS_MS = 2_000;

/** The HTTP side of a gateway: MCP, the API, health and metrics. */
export function createHttpServer(
  admin: GatewayAdmin,
  configuration: ServerConfiguration,
  {
    authenticate,
    isApprover,
    signInAt,
    signIn = {},
    consoleFolder,
    certificate,
    ...options
  }: HttpServerOptions = {},
): HttpServer {
  const calls = countOpenCalls(admin);
  const { gateway } = calls;
  const guards = createGuards({
    ...configuration,
    ...(authenticate === undefined ? {} : { authenticate }),
    ...(isApprover === undefined ? {} : { isApprover }),
  });
  const { publicUrl } = configuration;
  const resource = signInAt && { ...signInAt, ...(publicUrl === undefined ? {} : { publicUrl }) };
  const challenge = (request: Request) => (message: string) => challengeOf(message, request, resource);
  const sessions = sessionsOf(configuration, authenticate !== undefined, signIn);
  const asking = createAsking(gateway);
  const mcp = createMcpHttp(gateway, {
    asking,
    maxBodyBytes: configuration.maxBodyBytes,
    ...(admin.topologies === undefined ? {} : { topologies: admin.topologies }),
    ...(admin.skillFault === undefined ? {} : { skillFault: admin.skillFault }),
    ...(admin.sourceFault === undefined ? {} : { sourceFault: admin.sourceFault }),
    ...options,
  });
  const metrics = createMetrics(gateway);
  const requests = createOpenRequests(configuration.maxBodyBytes);
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  const app = createApi({
    gateway,
    guards,
    reception: createReception(guards, sessions),
    requests,
    metrics,
    mcpSessions: () => mcp.sessions,
    challenge,
    hasConsole: consoleFolder !== undefined,
    sessions,
    streams: createOpenStreams(EVENT_STREAMS),
    asking,
    closing: closing.signal,
    maxBodyBytes: configuration.maxBodyBytes,
    originOf: (request) => originOf(publicUrl, request),
  });

  const senderOf = createSaidOnce({
    principal: guards.principal,
    isOfSession: mcp.isOfSession,
    closing: closing.signal,
  });

  const answer = async (request: Request): Promise<Answer> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/healthz' || pathname === '/readyz') return app.fetch(request, {});
    if (resource !== undefined && isResourceMetadata(pathname)) {
      guards.checkHost(request);
      return serveResourceMetadata(resource, request) ?? app.fetch(request, {});
    }
    guards.checkOrigin(request);
    const allowed = preflight(request, guards);
    if (allowed !== undefined) return allowed;
    if (isMcp(pathname)) {
      const principal = await senderOf(request);
      refuseApprover(principal);
      const turn = requests.begin(request, principal);
      if (turn !== undefined) await turn;
      return mcp.fetch(request, principal);
    }
    const page = consoleFolder === undefined ? undefined : await serveConsole(consoleFolder, request);
    return page ?? app.fetch(request, {});
  };

  /** What becomes of an error, in the form that the address's clients read. */
  const refused = (request: Request) => (thrown: unknown) => {
    const inForm = isMcp(new URL(request.url).pathname) ? mcpErrorResponse : errorResponse;
    return inForm(thrown, challenge(request));
  };

  const respond = async (request: Request): Promise<Answer> => {
    const response = finish(await answer(request).catch(refused(request)), request, guards);
    if (closing.signal.aborted) response.headers.set('connection', 'close');
    return response;
  };

  const addresses = createAddresses({
    respond,
    ended: requests.end,
    settled: calls.settled,
    drainMs: configuration.drainMs,
    certificate,
    onError: options.onError,
  });
  const shutDown = async () => {
    closing.abort();
    const told = Promise.withResolvers<void>();
    const stopped = addresses.stop(told.promise);
    if (!(await calls.settled(configuration.drainMs))) {
      calls.stop(gatewayStops());
      await calls.settled(LAST_WORDS_MS);
    }
    // a call that has ended hands its answer to the connection within the current turn
    await turnOfTheLoop();
    metrics.close();
    await mcp.close();
    await withinTime(FLUSH_MS, stopped);
    told.resolve();
    await stopped;
  };

  return {
    async fetch(request) {
      const response = await respond(request).finally(() => requests.end(request));
      return response instanceof WholeAnswer ? response.toResponse() : response;
    },
    fetchAs: async (request, owner) => app.fetch(request, { owner }),
    async listen({ host = configuration.host, port = configuration.port } = {}) {
      if (!isLoopbackHost(host) && configuration.token === undefined && authenticate === undefined) {
        throw new ToolcribError(
          'configuration_invalid',
          `Host ${host} can be reached from other machines, and there is no token. Set server.token.`,
        );
      }
      guards.bind(host);
      return addresses.open(host, port);
    },
    close: () => (closed ??= shutDown()),
  };
}

function sessionsOf(configuration: ServerConfiguration, isTeam: boolean, signIn: SignIn): Sessions {
  const { token, sessions } = configuration;
  const memory = createMemorySessions();
  return createSessions({
    idleMs: sessions?.idleMs ?? DEFAULTS.sessionIdleMs,
    absoluteMs: sessions?.absoluteMs ?? DEFAULTS.sessionMs,
    records: async () => memory,
    ...(configuration.publicUrl === undefined ? {} : { publicUrl: configuration.publicUrl }),
    ...signIn,
    mode: isTeam ? 'team' : token === undefined ? 'open' : 'token',
    ...(token === undefined ? {} : { token }),
  });
}
