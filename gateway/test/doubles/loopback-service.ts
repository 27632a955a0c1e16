import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. `target` is the raw request target; `query` is decoded, in the order sent. */
export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  /** Raw path, percent-encoding kept, without the service's base path. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request with what became of it. */
export interface RecordedRequest extends ReceivedRequest {
  readonly status: number;
  /** When it had arrived whole, milliseconds of `performance.now()`. */
  readonly at: number;
}

/** `body`: bytes and text go out as they are, everything else as JSON; absent: no body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a test can make the service do instead of answering by itself. */
export interface Interference {
  /** Answered once, before anything else is looked at. Several are taken in turn. */
  answerNext(...answers: readonly (Answer | 'drop')[]): void;
  /** No answer leaves before this settles. */
  holdUntil(released: Promise<unknown>): void;
}

export interface LoopbackService extends Interference {
  /** Base URL, the base path included. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  forget(): void;
  close(): Promise<void>;
}

/** Serves `handle` on a free port of 127.0.0.1 below `base`, and records every request. */
export async function startLoopbackService(
  base: string,
  handle: (request: ReceivedRequest) => Answer | Promise<Answer>,
): Promise<LoopbackService> {
  const requests: RecordedRequest[] = [];
  const planned: (Answer | 'drop')[] = [];
  let held: Promise<unknown> | undefined;
  const server = createServer(async (incoming, response) => {
    const request = await receive(incoming, base);
    const at = performance.now();
    const plan = planned.shift();
    const answer = plan ?? (await handle(request));
    requests.push({ ...request, status: answer === 'drop' ? 0 : answer.status, at });
    await held;
    if (answer === 'drop') incoming.socket.destroy();
    else send(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    requests,
    answerNext: (...answers) => {
      planned.push(...answers);
    },
    holdUntil: (released) => {
      held = released;
    },
    forget: () => {
      requests.length = 0;
      planned.length = 0;
      held = undefined;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(incoming: IncomingMessage, base: string): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const target = incoming.url!;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return {
    method: incoming.method!,
    target,
    path: path.startsWith(`${base}/`) ? path.slice(base.length) : path,
    query: mark < 0 ? [] : [...new URLSearchParams(target.slice(mark + 1))],
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  };
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  response.writeHead(status, raw ? headers : { 'content-type': 'application/json', ...headers });
  response.end(raw ? body : JSON.stringify(body));
}
