import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import type { WireRequest } from './wire-request.ts';

/** Hears of a request's answer, and whether it has ended already. */
interface AnswerHandler extends Dispatcher.DispatchHandler {
  readonly settled: boolean;
  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void;
}

/** Sends a request once its origin has a free connection; not when it has ended meanwhile: nothing was sent then. */
export function dispatchWhenFree(
  connections: Connections,
  request: WireRequest,
  handler: AnswerHandler,
): void {
  const freed = connections.freed(request.url.origin);
  if (freed === undefined) dispatch(connections.dispatcher, request, handler);
  else void freed.then(() => dispatch(connections.dispatcher, request, handler));
}

function dispatch(
  dispatcher: Connections['dispatcher'],
  { url, method, headers, body }: WireRequest,
  handler: AnswerHandler,
): void {
  if (handler.settled) return;
  try {
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: headers as string[],
        body: body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  } catch (error) {
    handler.onResponseError(undefined, error as Error);
  }
}
