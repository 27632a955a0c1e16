import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  ProtocolError,
} from '@modelcontextprotocol/server';
import type { GatewayCore } from '../../../gateway-core.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../../operations/index.ts';
import { foreignCoding, readBodyText } from '../../body-text.ts';
import { type Asking, createAsking } from '../../held/asking.ts';
import type { Answer } from '../../whole-answer.ts';
import { createListListeners, type ListListeners, listListenerOf } from '../client-facts.ts';
import {
  createFollowedResources,
  type FollowedResources,
  isListen,
  listenedResources,
} from '../followed-resources.ts';
import { createMcpServers } from '../mcp-server.ts';
import { envelopeText } from '../plain/plain-call.ts';
import { spliceTools } from '../plain/splice-tools.ts';
import { isOrdinary } from '../read-message.ts';
import { refusedCall, refusedListen } from '../refused-call.ts';
import { type AddressRules, addressFault, askingBy, wishesOf } from './address.ts';
import { boundUnread } from './bound-unread.ts';
import { createListenBus } from './listen-bus.ts';
import { rpcErrorResponse } from './rpc-error-response.ts';
import { SESSION_REVISIONS } from './session-calls.ts';
import { DEFAULT_SESSION_LIMITS, type SessionLimits, Sessions } from './sessions.ts';
import { spellOutAccept } from './spell-out-accept.ts';
import { StatelessCalls } from './stateless-calls.ts';

export interface McpHttpOptions extends AddressRules {
  readonly maxBodyBytes: number;
  readonly sessions?: Partial<SessionLimits>;
  /** Shared with whoever else calls tools of this gateway and is asked; absent: MCP alone. */
  readonly asking?: Asking;
  /** Faults that no client sees. */
  readonly onError?: (error: Error) => void;
}

/** MCP over Streamable HTTP: the stateless revision 2026-07-28 and sessions of the older ones, at one address. */
export interface McpHttp {
  /** Host, Origin and token are checked before. */
  fetch(request: Request, principal?: Principal): Promise<Answer>;
  /** Open sessions of the older revisions. */
  readonly sessions: number;
  /** Whether the request names one that is open here. */
  isOfSession(request: Request): boolean;
  close(): Promise<void>;
}

export function createMcpHttp(core: GatewayCore, options: McpHttpOptions): McpHttp {
  const asking = options.asking ?? createAsking(core);
  const followed = createFollowedResources(core, options.onError);
  const listeners = createListListeners();
  const listening = createListenBus(core, options.onError);
  const servers = createMcpServers(core, { ...asking, followed, listeners });
  const principals = new WeakMap<Request, Principal>();
  const toolPages = new WeakMap<Request, readonly Uint8Array[]>();
  const direct = new StatelessCalls();
  const sessions = new Sessions(servers.create, { ...DEFAULT_SESSION_LIMITS, ...options.sessions });
  const modern = createMcpHandler(
    ({ requestInfo }) =>
      servers.create({
        principal: (requestInfo && principals.get(requestInfo)) ?? LOCAL_PRINCIPAL,
        era: 'modern',
        stays: false,
        wishes: wishesOf(requestInfo),
        ...(requestInfo && {
          spliceTools: (json) => void toolPages.set(requestInfo, json),
          direct: direct.way(requestInfo),
        }),
      }),
    {
      bus: listening.bus,
      legacy: 'reject',
      maxRequestBodySize: options.maxBodyBytes,
      onerror: (error) => {
        if (!isRefusal(error)) options.onError?.(error);
      },
    },
  );
  return {
    get sessions() {
      return sessions.size;
    },
    isOfSession: ({ headers }) => sessions.has(headers.get('mcp-session-id') ?? ''),
    async fetch(request, caller = LOCAL_PRINCIPAL) {
      spellOutAccept(request);
      const principal = askingBy(request, caller);
      if (request.method !== 'POST') return serveSession(sessions, request, principal);
      const fault = await addressFault(request, caller, options);
      if (fault !== undefined) return rpcErrorResponse(400, -32602, `request_invalid: ${fault}`);
      const read = await readBody(request, options.maxBodyBytes);
      if (read instanceof Response) return read;
      const answer = await direct.answer(request, read.body, (envelope) =>
        servers.stateless({ principal, era: 'modern', stays: false, wishes: wishesOf(request) }, envelope),
      );
      if (answer !== undefined) return answer;
      const older = isOfSession(request, read.body) || (await isLegacyRequest(request, read.body));
      if (older) return sessions.serve(request, read.body, principal);
      principals.set(request, principal);
      const uris = listenedResources(read.body);
      const listens = isListen(read.body);
      const refused = listens ? refusedListen(read.body) : undefined;
      if (refused !== undefined) return Response.json(refused, { status: 400 });
      const response = await listening.serve({ principal, uris, listens }, () =>
        modern.fetch(request, { parsedBody: read.body }),
      );
      const following = { followed, listeners };
      followListened(following, request, response, read.body, principal);
      if (listens && response.body !== null) return new Response(boundUnread(response.body), response);
      const page = toolPages.get(request);
      return page === undefined ? response : withTools(response, page);
    },
    async close() {
      asking.held.close();
      followed.close();
      direct.close();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** The SDK also tells of requests that it refused, which their clients were told: those are no faults of the gateway. */
function isRefusal(error: Error): boolean {
  return error instanceof ProtocolError || error.message.startsWith('Rejected inbound request');
}

/** A client that listens for changes follows lists and resources until it goes away. */
function followListened(
  { followed, listeners }: { readonly followed: FollowedResources; readonly listeners: ListListeners },
  request: Request,
  response: Response,
  body: unknown,
  principal: Principal,
): void {
  const granted =
    response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!granted || request.signal.aborted) return;
  const client = listListenerOf(body);
  if (client !== undefined) {
    request.signal.addEventListener('abort', listeners.open(principal, client), { once: true });
  }
  for (const uri of listenedResources(body)) {
    request.signal.addEventListener('abort', followed.follow(uri, principal), { once: true });
  }
}

async function withTools(response: Response, page: readonly Uint8Array[]): Promise<Response> {
  const body = Buffer.concat(spliceTools(await response.text(), page));
  return new Response(body, { status: response.status, headers: response.headers });
}

/** GET and DELETE belong to sessions; 2026-07-28 has none. */
function serveSession(sessions: Sessions, request: Request, principal: Principal): Promise<Answer> | Answer {
  const version = request.headers.get('mcp-protocol-version');
  const known = request.method === 'GET' || request.method === 'DELETE';
  if (known && (version === null || version < '2026')) return sessions.serve(request, undefined, principal);
  return rpcErrorResponse(405, -32000, 'Method not allowed.', { allow: 'POST' });
}

/** What the SDK would say of nearly every request of a session, without its schemas. */
function isOfSession({ headers }: Request, body: unknown): boolean {
  const version = headers.get('mcp-protocol-version');
  if (version === null || !SESSION_REVISIONS.has(version) || !headers.has('mcp-session-id')) return false;
  if (!isOrdinary(body) || !('id' in body) || body.method === 'initialize') return false;
  return envelopeText(body.params?._meta) === undefined;
}

/** Reads and parses the body once, for both eras. */
async function readBody(request: Request, maxBytes: number): Promise<{ body: unknown } | Response> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return rpcErrorResponse(415, -32000, 'Unsupported media type: Content-Type must be application/json.');
  }
  const coding = foreignCoding(request);
  if (coding !== undefined) {
    return rpcErrorResponse(
      415,
      -32000,
      `Unsupported content coding: ${coding}. Send the body uncompressed.`,
      {
        'accept-encoding': 'identity',
      },
    );
  }
  const text = await readBodyText(request, maxBytes);
  if (text === undefined) {
    return rpcErrorResponse(413, -32000, `body_too_large: the body is larger than ${maxBytes} bytes.`);
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return rpcErrorResponse(400, -32700, 'Parse error: the body is not valid JSON.');
  }
  const refused = refusedCall(text, body);
  return refused === undefined ? { body } : Response.json(refused);
}
