import { setTimeout } from 'node:timers/promises';
import { EgressFailure } from '../../egress/egress.ts';
import type { Pace } from '../pace.ts';

/** As much as one line of a stdio server. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The answer with a bound on what is kept in memory: an event stream may be endless, but no single event, and a JSON
 * answer as a whole not, which is read here. What is larger is EgressFailure `too_large`, of the body of a stream.
 * Events come at the server's pace.
 */
export async function boundedAnswer(
  response: Response,
  host: string,
  pace: Pace,
  maxBytes = MAX_MESSAGE_BYTES,
): Promise<Response> {
  const { body, status, headers } = response;
  // what is only accepted has no answer: nobody reads on, and some servers leave it open
  if (body === null || status === 202) return response;
  if (/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) {
    return sameAnswer(response, body.pipeThrough(boundedEvents(host, status, pace, maxBytes)));
  }
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (length <= maxBytes) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(host, status, maxBytes);
    chunks.push(chunk);
  }
  return sameAnswer(response, Buffer.concat(chunks, size));
}

function boundedEvents(
  host: string,
  status: number,
  pace: Pace,
  maxBytes: number,
): TransformStream<Uint8Array, Uint8Array> {
  // the answer itself, where nothing else comes
  let free = 1;
  const scan = createEventScanner();
  return new TransformStream({
    async transform(chunk, controller) {
      const { events, size } = scan(chunk);
      const wait = pace.after(Math.max(0, events - free));
      free = Math.max(0, free - events);
      if (wait > 0) await setTimeout(wait);
      if (size <= maxBytes) controller.enqueue(chunk);
      else controller.error(tooLarge(host, status, maxBytes));
    },
  });
}

function sameAnswer(
  { status, headers, url }: Response,
  body: ConstructorParameters<typeof Response>[0],
): Response {
  const answer = new Response(body, { status, headers });
  Object.defineProperty(answer, 'url', { value: url });
  return answer;
}

/**
 * Finds the ends of events, which are two ends of line in a row, however they are written and in however many pieces
 * they come. Of a piece: the events that end in it, and the bytes so far of the one that does not.
 */
function createEventScanner(): (chunk: Uint8Array) => { readonly events: number; readonly size: number } {
  let size = 0;
  let ends = 0;
  let previous = 0;
  return (chunk) => {
    let events = 0;
    for (const byte of chunk) {
      const isSecondHalf = byte === LINE_FEED && previous === CARRIAGE_RETURN;
      previous = byte;
      if (isSecondHalf) continue;
      size++;
      ends = byte === LINE_FEED || byte === CARRIAGE_RETURN ? ends + 1 : 0;
      if (ends !== 2) continue;
      events++;
      ends = 0;
      size = 0;
    }
    return { events, size };
  };
}

function tooLarge(host: string, status: number, maxBytes: number): EgressFailure {
  const message = `${host} sent one message of more than ${maxBytes} bytes`;
  return new EgressFailure('too_large', 'all', message, { status });
}
