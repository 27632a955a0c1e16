import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';

const STARTED = 'http.server.request.start';

/** The event streams that gateways of this process serve to browsers, as their servers see them. */
export function watchStreams(): { readonly open: () => number; readonly most: () => number } {
  let open = 0;
  let most = 0;
  const onRequest = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (!request.url?.startsWith('/api/v1/events')) return;
    if (request.headers.accept !== 'text/event-stream') return;
    most = Math.max(most, ++open);
    response.once('close', () => open--);
  };
  beforeAll(() => subscribe(STARTED, onRequest));
  afterAll(() => {
    unsubscribe(STARTED, onRequest);
  });
  return { open: () => open, most: () => most };
}
