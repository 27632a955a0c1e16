import type { Event } from '../../../gateway/src/operations/index.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import { api, send } from './client.ts';
import { FrameReader } from './server-sent-events.ts';

/** Events between these sequences are gone; where `oldest` is not above `after`, the log began anew. */
export interface Gap {
  readonly after: number;
  readonly oldest: number;
}

/** Why a stream could not be opened. */
export interface StreamFailure {
  /** The gateway answered, and said no; else nobody is there. */
  readonly refused: boolean;
  /** For a person. */
  readonly text: string;
}

export interface StreamListener {
  onState(state: 'open' | 'lost', failure?: StreamFailure): void;
  /** In the order of the log. */
  onEvents(events: readonly Event[]): void;
  onGap(gap: Gap): void;
}

/** The gateway sends a comment every 15 s: silence for longer than that means that nobody is there. */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 10_000;

/**
 * The gateway's stream of events, read by `fetch` so that a refusal can be told from a lost connection. Continues behind
 * the last event that arrived whole.
 */
export class EventReader {
  /** Sequence of the last event that was read; undefined: begin with what comes. */
  last: number | undefined;
  readonly #listener: StreamListener;
  readonly #checkSession: (signal: AbortSignal) => Promise<void>;
  #wake: () => void = () => undefined;

  /** `checkSession` throws where the browser is signed in as somebody else by now. */
  constructor(listener: StreamListener, checkSession: (signal: AbortSignal) => Promise<void>) {
    this.#listener = listener;
    this.#checkSession = checkSession;
  }

  /** Tries again at once, where it waits to. */
  wake(): void {
    this.#wake();
  }

  /** Until it is aborted. Never throws. */
  async run(last: number | undefined, signal: AbortSignal): Promise<void> {
    this.last = last;
    let failures = 0;
    const wake = () => this.#wake();
    signal.addEventListener('abort', wake);
    while (!signal.aborted) {
      let failure: StreamFailure | undefined;
      try {
        await this.#once(signal);
        failures = 0;
      } catch (error) {
        failures++;
        failure = failureOf(error);
      }
      if (signal.aborted) return;
      this.#listener.onState('lost', failure);
      await this.#pause(failures);
    }
  }

  /** One connection, to its end. Throws where it could not be opened. */
  async #once(signal: AbortSignal): Promise<void> {
    const silent = new AbortController();
    const either = AbortSignal.any([signal, silent.signal]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE_MS);
    };
    heard();
    try {
      this.last ??= (
        await api<{ last: number }>('GET', '/events', { query: { limit: 1 }, signal: either })
      ).last;
      const response = await send('GET', '/events', { ...placeOf(this.last), signal: either });
      // asked behind the stream: a session that has ended by now never comes back
      await this.#checkSession(either);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      this.#listener.onState('open');
      await this.#read(reader, heard, signal);
    } finally {
      clearTimeout(timer);
      silent.abort();
    }
  }

  async #read(reader: ReadableStreamDefaultReader<string>, heard: () => void, signal: AbortSignal) {
    const frames = new FrameReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return;
        heard();
        this.#take(frames.read(value));
      }
    } catch {
      // it was open, and is no more
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }

  #take(frames: ReturnType<FrameReader['read']>): void {
    let events: Event[] = [];
    const flush = () => {
      if (events.length > 0) this.#listener.onEvents(events);
      events = [];
    };
    const gap = (gone: Gap) => {
      flush();
      this.last = gone.oldest - 1;
      this.#listener.onGap(gone);
    };
    for (const { id, event, data } of frames) {
      const parsed = jsonOf(data);
      if (parsed === undefined) continue;
      if (event === 'gap') gap(parsed as Gap);
      else if (id !== undefined) {
        const sequence = Number(id);
        // an empty log that begins anew says nothing of it
        if (sequence <= this.last!) gap({ after: this.last!, oldest: sequence });
        this.last = sequence;
        events.push(parsed as Event);
      }
    }
    flush();
  }

  #pause(failures: number): Promise<void> {
    const step = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, step / 2 + (Math.random() * step) / 2);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Only a stream that continues can be told of a gap; one of an empty log begins at its start. */
function placeOf(last: number) {
  const accept = 'text/event-stream';
  return last > 0
    ? { headers: { accept, 'last-event-id': String(last) } }
    : { headers: { accept }, query: { after: 0 } };
}

function jsonOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): StreamFailure {
  const known = error instanceof ApiError ? error : new UnreachableError();
  const { message, next } = known;
  const refused = !(known instanceof UnreachableError);
  return { refused, text: next === undefined ? message : `${message} ${next}` };
}
