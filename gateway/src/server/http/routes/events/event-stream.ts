import type { GatewayCore } from '../../../../gateway-core.ts';
import type { Event } from '../../../../operations/index.ts';
import { eventResponse, KEEP_ALIVE, soon } from '../../server-sent-events.ts';

export interface EventStreamOptions {
  /** Only events above it. */
  readonly after: number;
  /** There was such an event: one that is not there later was lost. */
  readonly reached?: boolean;
  /** Any of them ends the stream. */
  readonly ends: readonly AbortSignal[];
  /** Asked before anything is sent: the stream of a caller who has lost access ends. */
  readonly shown: () => Promise<(event: Event) => boolean>;
  readonly organisation?: string;
  /** What becomes of an event on the wire. Default: the event as it is. */
  readonly format?: (event: Event) => { readonly type: string };
  /** Events between `after` and this sequence are no longer in the log: said first, as an event `gap`. */
  readonly oldest?: number;
  /** Called when it is over, maybe more than once. */
  readonly released?: () => void;
}

/**
 * Events above `after` as Server-Sent Events, then what comes, until the client or the server ends it. Reads
 * from the log only as fast as the client takes them: one that is slower than the log sees a gap in the ids.
 */
export function eventStream(
  core: Pick<GatewayCore, 'events' | 'onEvent' | 'onNews'>,
  options: EventStreamOptions,
): Response {
  const { after, ends, shown, organisation, format = (event: Event) => event, oldest } = options;
  const query = organisation === undefined ? {} : { organisation };
  const encoder = new TextEncoder();
  const end = AbortSignal.any([...ends]);
  let seen = after;
  let { reached = false } = options;
  let wake = Promise.withResolvers<void>();
  const onNews = () => wake.resolve();
  const stop = core.onNews?.(onNews) ?? core.onEvent(onNews);
  const release = () => {
    stop();
    end.removeEventListener('abort', onEnd);
    options.released?.();
  };
  const onEnd = () => {
    wake.resolve();
    release();
  };
  end.addEventListener('abort', onEnd, { once: true });
  if (end.aborted) release();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`: open\n\n${oldest === undefined ? '' : gapFrame(after, oldest)}`));
    },
    async pull(controller) {
      let isWoken = false;
      while (!end.aborted) {
        wake = Promise.withResolvers<void>();
        const events = await core.events(seen, query).catch((error: unknown) => {
          release();
          throw error;
        });
        if (events.length > 0) {
          seen = events.at(-1)!.sequence;
          reached = true;
          const shows = await shown().catch(() => undefined);
          if (shows === undefined) break;
          const frames = events.filter(shows).map((event) => frame(event.sequence, format(event)));
          if (frames.length === 0) continue;
          controller.enqueue(encoder.encode(frames.join('')));
          return;
        }
        // who continues a log that lost its last events is told so, and from where
        if (isWoken && reached && (await wentBack(core, seen))) break;
        isWoken = true;
        if ((await soon(wake.promise.then(() => true))) === undefined) {
          controller.enqueue(encoder.encode(KEEP_ALIVE));
          return;
        }
      }
      release();
      controller.close();
    },
    cancel: release,
  });
  return eventResponse(body);
}

/** A database that lost its last commits, as by a failover, has numbers to give that are behind what was seen. */
async function wentBack(core: Pick<GatewayCore, 'events'>, seen: number): Promise<boolean> {
  const [newest] = await core.events(undefined, { limit: 1 }).catch(() => []);
  return newest !== undefined && newest.sequence < seen;
}

function frame(sequence: number, event: { readonly type: string }): string {
  return `id: ${sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Without an id: whoever continues does so from the last event. */
function gapFrame(after: number, oldest: number): string {
  return `event: gap\ndata: ${JSON.stringify({ after, oldest })}\n\n`;
}
