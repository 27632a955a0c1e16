import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { Hono } from 'hono';
import type { ServerConfiguration } from '../../config/configuration.ts';
import { DEFAULTS } from '../../config/defaults.ts';
import { isLoopbackHost } from '../../config/server-address.ts';
import { asToolcribError, ToolcribError } from '../../errors.ts';
import type { Listening } from '../../gateway-core.ts';
import { withinTime } from '../../operations/work/within-time.ts';
import { createMemorySessions } from '../../principals/sessions/memory-sessions.ts';
import { serveConsole } from '../console/serve-console.ts';
import { createMcpHttp, type McpHttpOptions } from '../mcp/http/mcp-http.ts';
import { createOpenRequests } from '../open-requests.ts';
import { createOpenStreams, EVENT_STREAMS } from '../open-streams.ts';
import { type Answer, WholeAnswer } from '../whole-answer.ts';
import { serveApprovalPage } from './approval-page.ts';
import { describeApi } from './description.ts';
import { errorResponse, mcpErrorResponse } from './error-response.ts';
import type { GatewayAdmin } from './gateway-admin.ts';
import { type Authenticate, createGuards, type IsApprover } from './guards.ts';
import { startListening, stopListening } from './listener.ts';
import { createMetrics } from './metrics.ts';
import { countOpenCalls } from './open-calls.ts';
import {
  challengeOf,
  isMcp,
  isResourceMetadata,
  type ProtectedResource,
  serveResourceMetadata,
} from './protected-resource.ts';
import { readJson } from './read-json.ts';
import { createReception, type RequestOwner } from './reception.ts';
import { finish, preflight } from './response-headers.ts';
import { checked, type Route } from './route.ts';
import { checkRouteAccess, refuseApprover, requireOperator } from './route-access.ts';
import { ROUTES } from './routes/index.ts';
import { followCertificate, type ReadCertificate } from './server-certificate.ts';
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

/** What a finished answer may take to reach its client once its address closes. */
const FLUSH_MS = 250;

/** Of a body that anybody may send: the longest credential, and some more. */
const MAX_SIGN_IN_BYTES = 64 * 1024;

interface Owned {
  readonly Bindings: { readonly owner?: RequestOwner };
}

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
  const reception = createReception(guards, sessions);
  const mcp = createMcpHttp(gateway, {
    maxBodyBytes: configuration.maxBodyBytes,
    ...(admin.topologies === undefined ? {} : { topologies: admin.topologies }),
    ...(admin.skillFault === undefined ? {} : { skillFault: admin.skillFault }),
    ...options,
  });
  const metrics = createMetrics(gateway);
  const streams = createOpenStreams(EVENT_STREAMS);
  const requests = createOpenRequests(configuration.maxBodyBytes);
  const { maxBodyBytes } = configuration;
  const bodyLimit = ({ audience }: Route) =>
    audience === 'everybody' ? Math.min(maxBodyBytes, MAX_SIGN_IN_BYTES) : maxBodyBytes;
  const closing = new AbortController();
  const servers = new Set<Server>();
  let closed: Promise<void> | undefined;

  const app = new Hono<Owned>({ strict: false });
  app.get('/healthz', () => Response.json({ status: 'ok' }));
  app.get('/readyz', () =>
    closing.signal.aborted
      ? Response.json({ status: 'closing' }, { status: 503 })
      : Response.json({ status: 'ready', catalog: gateway.view().catalog.hash }),
  );
  app.get('/metrics', async ({ env, req }) => {
    const { principal } = env.owner ?? { principal: await guards.principal(req.raw) };
    requireOperator(principal);
    refuseApprover(principal);
    return new Response(metrics.text(mcp.sessions), {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    });
  });
  for (const route of ROUTES) {
    app.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), async ({ env, req }) => {
      const owner = env.owner ?? (await reception.ownerOf(req.raw, route));
      // who signs in is nobody yet, and may send little
      if (env.owner === undefined && route.audience !== 'everybody') {
        await requests.begin(req.raw, owner.principal);
      }
      return serveRoute(route, req.raw, req.param(), owner);
    });
  }
  // whoever has the link decides: no other credential is asked for, and no tool of ours reaches it
  app.on(['get', 'post'], '/approve/:token', async ({ env, req }) => {
    if (env.owner !== undefined) throw new ToolcribError('not_found', `There is no ${req.path}.`);
    return serveApprovalPage(gateway, req.raw, req.param('token'), maxBodyBytes);
  });
  app.notFound(({ req }) =>
    errorResponse(new ToolcribError('not_found', `There is no ${req.method} ${req.path}.`)),
  );
  app.onError((error, { req }) => errorResponse(error, challenge(req.raw)));

  const serveRoute = async (
    route: Route,
    request: Request,
    params: unknown,
    owner: RequestOwner,
  ): Promise<Response> => {
    checkRouteAccess(route, owner);
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const input = {
      params: checked(route.params, params, 'path'),
      query: checked(route.query, query, 'query'),
      body:
        route.readsBody || route.body === undefined
          ? undefined
          : checked(route.body, await readJson(request, bodyLimit(route)), 'body'),
    };
    const context = {
      gateway,
      ...owner,
      sessions,
      maxBodyBytes,
      request,
      signal: request.signal,
      streams,
      closing: closing.signal,
      describe: describeApi,
    };
    const answer = await route.handle(input, context);
    if (answer instanceof Response) return answer;
    const { status = 200 } = route.response;
    return status === 204 ? new Response(null, { status }) : Response.json(answer, { status });
  };

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
      const principal = await guards.principal(request);
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

  const shutDown = async () => {
    closing.abort();
    const stopped = [...servers].map((server) => stopListening(server, configuration.drainMs));
    await calls.settled(configuration.drainMs);
    await turnOfTheLoop();
    metrics.close();
    await mcp.close();
    await Promise.all(stopped);
  };

  /** One address less. Open calls finish; streams are cut, since they would never end by themselves. */
  const stopOne = async (server: Server) => {
    servers.delete(server);
    let ended = false;
    const stopped = stopListening(server, configuration.drainMs).then(() => {
      ended = true;
    });
    // a connection that was open may still bring a call
    do {
      await calls.settled(configuration.drainMs);
      await turnOfTheLoop();
      await withinTime(FLUSH_MS, stopped);
    } while (!ended && !(await calls.settled(0)));
    server.closeAllConnections();
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
      const shown = await certificate?.();
      const listening = await startListening(respond, host, port, requests.end, shown, (error) =>
        options.onError?.(asToolcribError(error)),
      );
      servers.add(listening.server);
      if (shown !== undefined) {
        const follow = { shown, read: certificate!, onError: options.onError };
        listening.server.once('close', followCertificate(listening.server as TlsServer, follow));
      }
      return {
        url: listening.url,
        port: listening.port,
        close: () => stopOne(listening.server),
      };
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
    ...signIn,
    mode: isTeam ? 'team' : token === undefined ? 'open' : 'token',
    ...(token === undefined ? {} : { token }),
  });
}

/** A call that has ended hands its answer to the connection within the current turn. */
function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
