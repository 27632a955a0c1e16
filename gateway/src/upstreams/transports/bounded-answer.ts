import { EgressFailure } from '../../egress/egress.ts';

/** As much as one line of a stdio server. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * The answer with a bound on what is kept in memory: an event stream may be endless, but no single event, and a JSON
 * answer as a whole not. What is larger ends the body with EgressFailure `too_large`.
 */
export function boundedAnswer(response: Response, host: string, maxBytes = MAX_MESSAGE_BYTES): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (!isStream && length <= maxBytes) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const end = isStream ? lastEventEnd(chunk) : -1;
      size = end < 0 ? size + chunk.byteLength : chunk.byteLength - end;
      if (size <= maxBytes) controller.enqueue(chunk);
      else controller.error(tooLarge(host, status, maxBytes));
    },
  });
  const bounded = new Response(body.pipeThrough(counted), { status, headers });
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
}

/** Behind the last blank line; one that falls between two pieces is made up for by the next. */
function lastEventEnd(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\n\r\n'), bytes.lastIndexOf('\r\r'));
}

function tooLarge(host: string, status: number, maxBytes: number): EgressFailure {
  const message = `${host} sent one message of more than ${maxBytes} bytes`;
  return new EgressFailure('too_large', 'all', message, { status });
}
