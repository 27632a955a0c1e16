import { Hono } from 'hono';
import { ToolcribError } from '../../errors.ts';
import type { OpenRequests } from '../open-requests.ts';
import { serveApprovalPage } from './approval-page.ts';
import { describeApi } from './description.ts';
import { type Challenge, errorResponse } from './error-response.ts';
import type { Guards } from './guards.ts';
import type { Metrics } from './metrics.ts';
import { notFound } from './not-found.ts';
import { readJson } from './read-json.ts';
import type { Reception, RequestOwner } from './reception.ts';
import { checked, type Route, type RouteContext } from './route.ts';
import { checkRouteAccess, refuseApprover, requireOperator } from './route-access.ts';
import { ROUTES } from './routes/index.ts';
import { ANSWER_PATH, createSignInPages, PROVIDER_PATH } from './sign-in/sign-in-pages.ts';

/** Of a body that anybody may send: the longest credential, and some more. */
const MAX_SIGN_IN_BYTES = 64 * 1024;

export interface ApiParts
  extends Pick<RouteContext, 'gateway' | 'sessions' | 'streams' | 'asking' | 'closing' | 'maxBodyBytes'> {
  readonly guards: Guards;
  readonly reception: Reception;
  readonly requests: OpenRequests;
  readonly metrics: Metrics;
  /** Open sessions of MCP. */
  readonly mcpSessions: () => number;
  readonly challenge: (request: Request) => Challenge;
  /** Browsers find the console at `/`. */
  readonly hasConsole: boolean;
  /** Where browsers reach this gateway. */
  readonly originOf: (request: Request) => string;
}

interface Owned {
  /** Given where the gateway asks itself: nobody else is looked for. */
  readonly Bindings: { readonly owner?: RequestOwner };
}

/** What is neither MCP nor the console: the routes of the API, links to approvals, health and metrics. */
export function createApi(parts: ApiParts): Pick<Hono<Owned>, 'fetch'> {
  const { gateway, guards, reception, requests, metrics, closing, maxBodyBytes } = parts;
  const app = new Hono<Owned>({ strict: false });
  app.get('/healthz', () => Response.json({ status: 'ok' }));
  app.get('/readyz', () =>
    closing.aborted
      ? Response.json({ status: 'closing' }, { status: 503 })
      : Response.json({ status: 'ready', catalog: gateway.view().catalog.hash }),
  );
  app.get('/metrics', async ({ env, req }) => {
    const { principal } = env.owner ?? { principal: await guards.principal(req.raw) };
    requireOperator(principal);
    refuseApprover(principal);
    return new Response(metrics.text(parts.mcpSessions()), {
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
      return serveRoute(parts, route, req.raw, req.param(), owner);
    });
  }
  // whoever has the link decides: no other credential is asked for, and no tool of ours reaches it
  app.on(['get', 'post'], '/approve/:token', async ({ env, req }) => {
    if (env.owner !== undefined) throw new ToolcribError('not_found', `There is no ${req.path}.`);
    return serveApprovalPage(gateway, req.raw, req.param('token'), maxBodyBytes);
  });
  const signIn = createSignInPages(parts);
  for (const [path, serve] of [
    [PROVIDER_PATH, signIn.begin],
    [ANSWER_PATH, signIn.answer],
  ] as const) {
    app.get(path, ({ env, req }) => {
      if (env.owner !== undefined) throw new ToolcribError('not_found', `There is no ${req.path}.`);
      return serve(req.raw);
    });
  }
  app.notFound(({ req }) => notFound(req.raw, req.path, parts.hasConsole));
  app.onError((error, { req }) => errorResponse(error, parts.challenge(req.raw)));
  return app;
}

async function serveRoute(
  { gateway, sessions, streams, asking, closing, maxBodyBytes }: ApiParts,
  route: Route,
  request: Request,
  params: unknown,
  owner: RequestOwner,
): Promise<Response> {
  checkRouteAccess(route, owner);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const bodyBytes = route.audience === 'everybody' ? Math.min(maxBodyBytes, MAX_SIGN_IN_BYTES) : maxBodyBytes;
  const input = {
    params: checked(route.params, params, 'path'),
    query: checked(route.query, query, 'query'),
    body:
      route.readsBody || route.body === undefined
        ? undefined
        : checked(route.body, await readJson(request, bodyBytes), 'body'),
  };
  const context: RouteContext = {
    gateway,
    ...owner,
    sessions,
    maxBodyBytes,
    request,
    signal: request.signal,
    streams,
    asking,
    closing,
    describe: describeApi,
  };
  const answer = await route.handle(input, context);
  if (answer instanceof Response) return answer;
  const { status = 200 } = route.response;
  return status === 204 ? new Response(null, { status }) : Response.json(answer, { status });
}
