import { ToolcribError } from '../../errors.ts';
import type { CallChannel, Invocation } from '../../operations/index.ts';
import type { Layer } from '../compose.ts';

/** How long all questions of one call to its client may take together, milliseconds. */
const ANSWERS_MS = 600_000;

/** What can put a question to the client. All others are told the true deadline: they plan their waits by it. */
const ASKS: ReadonlySet<Invocation['kind']> = new Set(['mcp']);

/**
 * One deadline for the whole call: everything below sees a signal that ends with it. While the client is asked
 * something the clock stands still, for ten minutes at most: what a person takes for thinking is not the tool's.
 * What comes too late, behind a store that was slow, goes no further.
 */
export const deadlineLayer: Layer = async (call, next) => {
  if (call.deadline <= Date.now()) {
    throw new ToolcribError('deadline_exceeded', 'The deadline passed before anything was sent.');
  }
  const controller = new AbortController();
  const onAbort = () => controller.abort(call.signal.reason);
  if (call.signal.aborted) onAbort();
  else call.signal.addEventListener('abort', onAbort, { once: true });
  const clock = pausingClock(call.deadline - Date.now(), () =>
    controller.abort(new DOMException('The deadline of the call passed.', 'TimeoutError')),
  );
  const asking = call.channel.ask !== undefined;
  try {
    return await next({
      ...call,
      signal: controller.signal,
      ...(asking ? { channel: pausing(call.channel, clock) } : {}),
      ...(asking && ASKS.has(call.operation.invocation.kind) ? { deadline: call.deadline + ANSWERS_MS } : {}),
    });
  } finally {
    clock.stop();
    call.signal.removeEventListener('abort', onAbort);
  }
};

interface Clock {
  pause(): void;
  resume(): void;
  stop(): void;
}

function pausing({ ask, ...channel }: CallChannel, clock: Clock): CallChannel {
  return {
    ...channel,
    async ask(request, signal) {
      clock.pause();
      try {
        return await ask!(request, signal);
      } finally {
        clock.resume();
      }
    },
  };
}

/** Rings after `milliseconds` of running; pauses may overlap, and come to `ANSWERS_MS` at most. */
function pausingClock(milliseconds: number, ring: () => void): Clock {
  let left = Math.max(0, milliseconds);
  let spare = ANSWERS_MS;
  let since = performance.now();
  let pauses = 0;
  let timer = setTimeout(ring, left);
  const passed = (): number => {
    const now = performance.now();
    const took = now - since;
    since = now;
    return took;
  };
  return {
    pause() {
      pauses++;
      if (pauses > 1) return;
      left -= passed();
      clearTimeout(timer);
      timer = setTimeout(ring, Math.max(0, left + spare));
    },
    resume() {
      pauses--;
      if (pauses > 0) return;
      spare -= passed();
      clearTimeout(timer);
      timer = setTimeout(ring, Math.max(0, left + Math.min(0, spare)));
    },
    stop: () => clearTimeout(timer),
  };
}
