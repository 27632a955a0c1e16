import { asToolcribError, type ErrorCode, isToolcribError, type ToolcribError } from '../errors.ts';
import { reworded } from '../operations/text/reworded.ts';
import type { WebCallOptions } from './provider.ts';
import { stopIfEnded, timeLeft } from './time-left.ts';

/** Why a provider of a chain did not answer. */
export interface Unavailable {
  readonly provider: string;
  readonly code: ErrorCode;
  readonly reason: string;
}

export interface Link<P> {
  readonly name: string;
  /** Lends the provider for one call. Throws `configuration_invalid` where the settings make none. */
  use<R>(work: (provider: P) => Promise<R>): Promise<R>;
}

/** A provider that others follow is not waited for as long as the last one. */
const PATIENCE_WITH_OTHERS_MS = 1500;

/** Another provider may do better; what is wrong with the question itself stays wrong. */
const PASSED_ON: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'upstream_unreachable',
  'upstream_failed',
  'upstream_unavailable',
  'upstream_crashed',
  'rate_limited',
  'credentials_missing',
  'credentials_refused',
  'authorization_required',
  'connection_suspended',
  'overloaded',
  'tool_failed',
  'tool_unknown',
  'deadline_exceeded',
]);

export interface ChainAnswer<R> {
  readonly answer: R;
  /** Those asked before, in order. */
  readonly unavailable: readonly Unavailable[];
}

/**
 * Asks one provider after the other until one answers, each within its share of the time. Rejects with the last
 * provider's error, or with the first that no other provider could mend; `details.unavailable` names the others.
 */
export async function askChain<P, R>(
  links: readonly Link<P>[],
  options: WebCallOptions,
  ask: (provider: P, options: WebCallOptions) => Promise<R>,
): Promise<ChainAnswer<R>> {
  const time = timeLeft(options);
  const unavailable: Unavailable[] = [];
  for (const [index, link] of links.entries()) {
    const last = index === links.length - 1;
    stopIfEnded(time, link.name);
    // Half of what is left goes to whoever is not the last.
    const deadline = last ? time.deadline : Date.now() + Math.ceil(time.left() / 2);
    const patienceMs = last ? time.patienceMs : Math.min(time.patienceMs, PATIENCE_WITH_OTHERS_MS);
    const share = withDeadline(time.signal, last ? undefined : deadline);
    try {
      const own = { ...options, signal: share.signal, deadline, patienceMs, isFollowed: !last };
      return { answer: await link.use((provider) => ask(provider, own)), unavailable };
    } catch (error) {
      const failure = asToolcribError(error);
      if (last || time.signal.aborted || !isPassedOn(failure)) throw withOthers(error, unavailable);
      unavailable.push({ provider: link.name, code: failure.code, reason: failure.message });
    } finally {
      share.release();
    }
  }
  throw new Error('A chain needs at least one provider.');
}

/** 402: no balance; 429 and 5xx: not now; 451: not there. */
function isPassedOn({ code, status }: ToolcribError): boolean {
  if (code !== 'upstream_status') return PASSED_ON.has(code);
  return status === 402 || status === 429 || status === 451 || (status !== undefined && status >= 500);
}

function withOthers(error: unknown, unavailable: readonly Unavailable[]): unknown {
  if (unavailable.length === 0 || !isToolcribError(error)) return error;
  const others = unavailable.map(({ provider, code: other }) => `${provider}: ${other}`).join(', ');
  return reworded(error, `${error.message} Asked before: ${others}.`, {
    details: { ...error.details, unavailable },
  });
}

/** A signal that also ends at a moment of its own. */
function withDeadline(signal: AbortSignal, deadline: number | undefined) {
  if (deadline === undefined) return { signal, release: () => undefined };
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => controller.abort(new DOMException('The time for this provider passed.', 'TimeoutError')),
    Math.max(0, deadline - Date.now()),
  );
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
