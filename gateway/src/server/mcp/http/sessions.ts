import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Principal } from '../../../operations/index.ts';
import { once } from '../../../operations/work/once.ts';
import { isSameCaller, isSameUser } from '../../held/same-caller.ts';
import type { Answer } from '../../whole-answer.ts';
import type { McpServers } from '../mcp-server.ts';
import { readableMessage } from '../readable-answers.ts';
import { refusedInitialize } from '../refused-initialize.ts';
import { wishesOf } from './address.ts';
import { boundUnread } from './bound-unread.ts';
import { createEventReplay } from './event-replay.ts';
import { rpcErrorResponse } from './rpc-error-response.ts';
import { SessionCalls } from './session-calls.ts';

export interface SessionLimits {
  readonly maxSessions: number;
  /** Of one user: nobody else's session ends because one client forgets its own. */
  readonly maxSessionsEach: number;
  /** A session without request, open call or open stream ends after this. */
  readonly idleMs: number;
}

export const DEFAULT_SESSION_LIMITS: SessionLimits = {
  maxSessions: 1000,
  maxSessionsEach: 100,
  idleMs: 30 * 60_000,
};

/** After which a client whose stream broke comes back, milliseconds. */
const RETRY_MS = 500;

/** What a client of HTTP with SSE sends first is a GET: it is told why nothing comes. */
const NO_SESSION =
  'Method not allowed without a session: Streamable HTTP begins with a POST. HTTP with SSE, its forerunner, is not served.';

interface Session {
  /** As the newest request showed itself: roles and limits of a credential may change between requests. */
  principal: Principal;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly direct: SessionCalls;
  readonly timer: NodeJS.Timeout;
  /** Open calls and open streams. */
  busy: number;
  lastUsed: number;
}

/** Sessions of the revisions before 2026-07-28, by `Mcp-Session-Id`. */
export class Sessions {
  readonly #create: McpServers['create'];
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, Session>();

  constructor(create: McpServers['create'], limits: SessionLimits) {
    this.#create = create;
    this.#limits = limits;
  }

  get size(): number {
    return this.#sessions.size;
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Serves one request of an existing session, or the `initialize` that opens one. */
  async serve(request: Request, body: unknown, principal: Principal): Promise<Answer> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.#continue(id, request, body, principal);
    if (request.method !== 'POST') return rpcErrorResponse(405, -32000, NO_SESSION, { allow: 'POST' });
    if (!isInitialize(body)) {
      return rpcErrorResponse(
        400,
        -32000,
        'Mcp-Session-Id is missing: send initialize first, or the _meta of 2026-07-28.',
      );
    }
    const refused = refusedInitialize(body);
    if (refused !== undefined) return Response.json(refused, { status: 400 });
    return this.#open(request, body, principal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  async #continue(id: string, request: Request, body: unknown, principal: Principal): Promise<Answer> {
    const session = this.#sessions.get(id);
    if (session === undefined || !isSameCaller(session.principal, principal)) {
      return rpcErrorResponse(404, -32001, 'There is no such session: send initialize again.');
    }
    session.principal = principal;
    touch(session);
    if (request.method === 'GET') return this.#listen(session, request);
    const answer = request.method === 'POST' ? await session.direct.answer(request, body, id) : undefined;
    if (answer !== undefined) return answer;
    return session.transport.handleRequest(request, { parsedBody: readableMessage(body) });
  }

  async #open(request: Request, body: unknown, principal: Principal): Promise<Response> {
    if (!(await this.#makeRoom(principal))) {
      return rpcErrorResponse(503, -32000, 'Too many sessions are open; try again later.', {
        'retry-after': '10',
      });
    }
    const replay = createEventReplay();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: replay,
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const busy = () => {
      session.busy++;
      return () => {
        session.busy--;
        touch(session);
      };
    };
    const direct = new SessionCalls({ replay, retryMs: RETRY_MS, busy });
    const session: Session = {
      principal,
      transport,
      direct,
      timer: setTimeout(() => this.#expire(session), this.#limits.idleMs).unref(),
      busy: 0,
      lastUsed: performance.now(),
    };
    const server = this.#create({
      get principal() {
        return session.principal;
      },
      era: 'legacy',
      stays: true,
      wishes: wishesOf(request),
      busy,
      direct,
    });
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      clearTimeout(session.timer);
      direct.close();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      onclose?.();
    };
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  /** A listening client is there even when it says nothing, until it goes or its stream ends; one that is refused is not. */
  async #listen(session: Session, request: Request): Promise<Response> {
    session.busy++;
    const release = once(() => {
      session.busy--;
      touch(session);
    });
    request.signal.addEventListener('abort', release, { once: true });
    try {
      const { body, status, headers } = await newestStream(session.transport, request);
      if (body === null || status !== 200 || request.signal.aborted) release();
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      if (body !== null) void boundUnread(body).pipeTo(writable).then(release, release);
      return new Response(body && readable, { status, headers });
    } catch (error) {
      release();
      throw error;
    }
  }

  #expire(session: Session): void {
    if (session.busy > 0) touch(session);
    else void session.transport.close();
  }

  /** False when all is taken by sessions that are in use. */
  async #makeRoom(principal: Principal): Promise<boolean> {
    const all = [...this.#sessions.values()];
    const own = principal.kind === 'user' ? all.filter((one) => isSameUser(one.principal, principal)) : [];
    if (own.length >= this.#limits.maxSessionsEach) return this.#closeLongestIdle(own);
    return all.length < this.#limits.maxSessions || this.#closeLongestIdle(all);
  }

  async #closeLongestIdle(sessions: readonly Session[]): Promise<boolean> {
    const idle = sessions.filter((session) => session.busy === 0);
    const oldest = idle.reduce<Session | undefined>(
      (a, b) => (a === undefined || b.lastUsed < a.lastUsed ? b : a),
      undefined,
    );
    await oldest?.transport.close();
    return oldest !== undefined;
  }
}

/**
 * Who listens anew has lost the stream before it, also where nothing tells us: a client that comes back from another
 * network leaves a connection behind that looks open for a quarter of an hour.
 */
async function newestStream(
  transport: WebStandardStreamableHTTPServerTransport,
  request: Request,
): Promise<Response> {
  const response = await transport.handleRequest(request);
  if (response.status !== 409) return response;
  transport.closeStandaloneSSEStream();
  return transport.handleRequest(request);
}

function touch(session: Session): void {
  session.lastUsed = performance.now();
  session.timer.refresh();
}

function isInitialize(body: unknown): boolean {
  return (body as { method?: unknown } | null)?.method === 'initialize';
}
