import type { Call, CallChannel, ProgressEvent } from '../../operations/index.ts';

export interface ProgressNotes {
  /** Commits a fact when it can; nobody waits for it. */
  note(event: ProgressEvent): void;
  /** Takes secrets out of what a service says. */
  readonly redact: (text: string) => string;
}

/** Between two notes of one call, milliseconds; what comes in between is dropped. */
const PAUSE_MS = 1000;
/** Notes of one call. */
const MOST = 100;
/** Characters of one note. */
const LENGTH = 200;

/**
 * The call with a channel whose progress messages also become events: at most one a second and a hundred a call,
 * so that a talkative service costs the log little. The client hears all of them.
 */
export function withProgressNotes(call: Call, { note, redact }: ProgressNotes): Call {
  const { channel } = call;
  let told = 0;
  let next = Number.NEGATIVE_INFINITY;
  const progress: NonNullable<CallChannel['progress']> = async (done, total, message) => {
    if (message !== undefined && message !== '' && told < MOST && performance.now() >= next) {
      told++;
      next = performance.now() + PAUSE_MS;
      note(progressEvent(call, redact(message).slice(0, LENGTH), done, total));
    }
    await channel.progress?.(done, total, message);
  };
  return { ...call, channel: { ...channel, progress } };
}

function progressEvent(call: Call, message: string, progress: number, total?: number): ProgressEvent {
  const { principal, tool, operation } = call;
  return {
    type: 'call-progress',
    call: call.id,
    ...(call.run === undefined ? {} : { run: call.run }),
    principal: principal.id,
    ...(principal.organisation === undefined ? {} : { organisation: principal.organisation }),
    tool,
    source: operation.source,
    message,
    ...(Number.isFinite(progress) ? { progress } : {}),
    ...(total === undefined || !Number.isFinite(total) ? {} : { total }),
  };
}
