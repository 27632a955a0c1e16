import type { Event } from '../../../gateway/src/operations/index.ts';
import { api, send } from './client.ts';
import { FrameReader } from './server-sent-events.ts';

export type StreamState = 'closed' | 'connecting' | 'open' | 'lost';

/** Events between these sequences are gone. */
export interface Gap {
  readonly after: number;
  readonly oldest: number;
}

export interface Subscriber {
  onEvents(events: readonly Event[]): void;
  onGap(gap: Gap): void;
}

/** The gateway sends a comment every 15 s: silence for longer than that means that nobody is there. */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 10_000;
/** How long the stream stays open without a listener, so that a change of pages does not cost it. */
const LINGER_MS = 5_000;
/** Between two rounds of listeners in a hidden tab, which has no frames. */
const HIDDEN_MS = 250;

/**
 * One stream of events, read by `fetch` so that a refusal can be told from a lost connection. Continues behind the last
 * event that arrived whole.
 */
export class EventConnection {
  state: StreamState = 'closed';
  readonly #subscribers = new Set<Subscriber>();
  readonly #watchers = new Set<() => void>();
  #identity: string | undefined;
  /** Sequence of the last event that was read; undefined: begin with what comes. */
  #last: number | undefined;
  #running: AbortController | undefined;
  #closing: ReturnType<typeof setTimeout> | undefined;
  #pending: Event[] = [];
  #scheduled = false;
  #wake: () => void = () => undefined;

  /** Whose stream it is; another one's begins anew, nobody's is closed. */
  as(identity: string | undefined): void {
    if (identity === this.#identity) return;
    this.#identity = identity;
    this.#last = undefined;
    this.#stop();
    this.#start();
  }

  listen(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    clearTimeout(this.#closing);
    this.#start();
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size > 0) return;
      clearTimeout(this.#closing);
      this.#closing = setTimeout(() => this.#stop(), LINGER_MS);
    };
  }

  readonly onState = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  };

  #start(): void {
    if (this.#running !== undefined || this.#identity === undefined || this.#subscribers.size === 0) return;
    const running = new AbortController();
    this.#running = running;
    addEventListener('online', this.#onOnline, { signal: running.signal });
    void this.#run(running.signal);
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#wake();
    this.#enter('closed');
  }

  readonly #onOnline = (): void => this.#wake();

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    this.#enter(this.#last === undefined ? 'connecting' : 'lost');
    while (!signal.aborted) {
      const opened = await this.#once(signal).catch(() => false);
      if (signal.aborted) return;
      failures = opened ? 0 : failures + 1;
      this.#enter('lost');
      await this.#pause(failures);
    }
  }

  /** One connection, to its end. True: it was open. */
  async #once(signal: AbortSignal): Promise<boolean> {
    const silent = new AbortController();
    const either = AbortSignal.any([signal, silent.signal]);
    this.#last ??= (await api<{ last: number }>('GET', '/events', { query: { limit: 1 }, signal })).last;
    const response = await send('GET', '/events', {
      headers: { accept: 'text/event-stream', ...this.#place().headers },
      query: this.#place().query,
      signal: either,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const frames = new FrameReader();
    this.#enter('open');
    try {
      for (;;) {
        const timer = setTimeout(() => silent.abort(), SILENCE_MS);
        const { done, value } = await reader.read().finally(() => clearTimeout(timer));
        if (done || signal.aborted) return true;
        for (const { id, event, data } of frames.read(value)) this.#take(id, event, data);
      }
    } catch {
      return true;
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }

  /** Only a stream that continues can be told of a gap; one of an empty log begins at its start. */
  #place(): { readonly headers: Record<string, string>; readonly query: Record<string, number> } {
    const last = this.#last ?? 0;
    return last > 0
      ? { headers: { 'last-event-id': String(last) }, query: {} }
      : { headers: {}, query: { after: 0 } };
  }

  #take(id: string | undefined, type: string, data: string): void {
    let parsed: unknown;
    try {
      parsed = JSON.parse(data);
    } catch {
      return;
    }
    if (type === 'gap') {
      this.#deliver();
      for (const subscriber of [...this.#subscribers]) subscriber.onGap(parsed as Gap);
      return;
    }
    if (id !== undefined) this.#last = Number(id);
    this.#pending.push(parsed as Event);
    if (this.#scheduled) return;
    this.#scheduled = true;
    // a tab that is hidden before its next frame has none
    setTimeout(this.#deliver, HIDDEN_MS);
    if (document.visibilityState === 'visible') requestAnimationFrame(this.#deliver);
  }

  readonly #deliver = (): void => {
    this.#scheduled = false;
    const events = this.#pending;
    if (events.length === 0) return;
    this.#pending = [];
    for (const subscriber of [...this.#subscribers]) subscriber.onEvents(events);
  };

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

  #enter(state: StreamState): void {
    if (state === this.state) return;
    this.state = state;
    for (const watcher of [...this.#watchers]) watcher();
  }
}
