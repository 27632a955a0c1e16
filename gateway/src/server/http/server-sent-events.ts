const KEEP_ALIVE_MS = 15_000;

/** A comment that tells a client, and what stands between, that the stream is alive. */
export const KEEP_ALIVE = ': keep-alive\n\n';

/** Undefined when nothing came for the length of a keep-alive. */
export async function soon<T>(promise: Promise<T>): Promise<T | undefined> {
  const quiet = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => quiet.resolve(undefined), KEEP_ALIVE_MS);
  try {
    return await Promise.race([promise, quiet.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A stream of Server-Sent Events as a response that nobody keeps. */
export function eventResponse(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    // a proxy such as nginx passes each event on at once, instead of filling a buffer
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}
