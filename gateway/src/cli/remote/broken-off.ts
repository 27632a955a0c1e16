import { isObject } from '../../operations/index.ts';

/** What a request is told whose gateway was gone before the whole answer: a call may have been carried out. */
export function brokenOff(method: string, reason: string): string {
  return method === 'tools/call'
    ? `outcome_unknown: The gateway broke off in the middle of the call (${reason}). It may have been carried out: check its effect before you call again.`
    : `upstream_unreachable: The gateway broke off before it had answered (${reason}).`;
}

/**
 * An answer whose stream breaks off ends with an error for its request: the SDK's client waits for one that nothing can
 * bring any more. Streams of a session can be continued, and those of `subscriptions/listen` are opened anew.
 */
export function withBrokenEnd(response: Response, init: RequestInit): Response {
  const headers = new Headers(init.headers);
  const method = headers.get('mcp-method') ?? '';
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const ends = method !== '' && method !== 'subscriptions/listen' && !headers.has('mcp-session-id');
  if (!ends || !isStream || response.body === null) return response;
  const id = idOf(init.body);
  if (id === undefined) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (init.signal?.aborted) return controller.error(error);
        controller.enqueue(asEvent(id, brokenOff(method, (error as Error).message)));
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Begins by ending what was half said. JSON-RPC's code of an internal error. */
function asEvent(id: string | number, message: string): Uint8Array {
  const answer = { jsonrpc: '2.0', id, error: { code: -32603, message } };
  return new TextEncoder().encode(`\n\nevent: message\ndata: ${JSON.stringify(answer)}\n\n`);
}

function idOf(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  const message: unknown = JSON.parse(body);
  const id = isObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
