import type { Event } from '../../../gateway/src/operations/index.ts';
import { api } from './client.ts';
import { EventReader, type Gap, type StreamFailure } from './event-reader.ts';
import { SharedStream } from './shared-stream.ts';
import type { StreamState } from './stream-words.ts';
import { browserTabs } from './tabs.ts';

export interface Subscriber {
  onEvents(events: readonly Event[]): void;
  onGap(gap: Gap): void;
}

/** Whose stream it is. */
export interface StreamIdentity {
  /** Another person's begins anew. */
  readonly person: string;
  /** Only tabs of the same session share one. */
  readonly session: string;
}

/** How long this tab takes part without a listener, so that a change of pages does not cost it. */
const LINGER_MS = 5_000;
/** Between two rounds of listeners in a hidden tab, which has no frames. */
const HIDDEN_MS = 250;
/** Events that wait for a round in a hidden tab, whose timers may sleep for a minute. */
const MOST_PENDING = 2_000;

/** What this tab hears of the stream that all tabs share, for its listeners. */
export class EventConnection {
  readonly #subscribers = new Set<Subscriber>();
  readonly #watchers = new Set<() => void>();
  readonly #checkSession: (identity: StreamIdentity, signal: AbortSignal) => Promise<void>;
  #shared: SharedStream | undefined;
  #identity: StreamIdentity | undefined;
  /** Unix milliseconds: somebody signed in or out, and who it is now has to be read. */
  #heldSince: number | undefined;
  #running: AbortController | undefined;
  #closing: ReturnType<typeof setTimeout> | undefined;
  #pending: Event[] = [];
  #scheduled = false;

  /** `checkSession` throws where the browser is not signed in as that any more. */
  constructor(checkSession: (identity: StreamIdentity, signal: AbortSignal) => Promise<void>) {
    this.#checkSession = checkSession;
  }

  get state(): StreamState {
    return this.#shared?.state ?? 'closed';
  }

  /** Why it is lost, where that is known. */
  get failure(): StreamFailure | undefined {
    return this.#shared?.failure;
  }

  /** Whose stream it is, as read at `readAt`; another person's begins anew, nobody's is closed. */
  as(identity: StreamIdentity | undefined, readAt: number): void {
    if (this.#heldSince !== undefined && readAt < this.#heldSince) return;
    const before = this.#identity;
    const same = before?.person === identity?.person && before?.session === identity?.session;
    if (same && this.#heldSince === undefined) return;
    this.#heldSince = undefined;
    this.#identity = identity;
    this.#stop();
    if (before?.person !== identity?.person) {
      this.#pending = [];
      this.#shared?.forget();
    }
    this.#start();
  }

  /** Closed until it was read again who is signed in. */
  hold(): void {
    this.#heldSince = Date.now();
    this.#deliver();
    this.#stop();
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
    const identity = this.#identity;
    if (this.#running !== undefined || this.#heldSince !== undefined) return;
    if (identity === undefined || this.#subscribers.size === 0) return;
    const running = new AbortController();
    this.#running = running;
    this.#shared ??= this.#createShared();
    const shared = this.#shared;
    const whose = JSON.stringify([identity.person, identity.session]);
    const join = () => shared.join(whose);
    const leave = () => shared.leave();
    const look = () => {
      if (document.visibilityState === 'visible') shared.look();
    };
    const { signal } = running;
    addEventListener('online', () => shared.look(), { signal });
    document.addEventListener('visibilitychange', look, { signal });
    // a page that a browser puts aside can neither read nor hear, and one that holds a lock is not put aside
    addEventListener('pagehide', leave, { signal });
    addEventListener('pageshow', join, { signal });
    document.addEventListener('freeze', leave, { signal });
    document.addEventListener('resume', join, { signal });
    join();
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#shared?.leave();
  }

  #createShared(): SharedStream {
    const check = (signal: AbortSignal) => this.#checkSession(this.#identity!, signal);
    return new SharedStream({
      tabs: browserTabs(),
      createReader: (listener) => new EventReader(listener, check),
      async readMissed(after, signal) {
        const query = { after, limit: 1000 };
        const page = await api<{ events: Event[]; last: number }>('GET', '/events', { query, signal });
        await check(signal);
        return page;
      },
      isVisible: () => document.visibilityState === 'visible',
      listener: {
        onEvents: (events) => this.#take(events),
        onGap: (gap) => {
          this.#deliver();
          for (const subscriber of [...this.#subscribers]) subscriber.onGap(gap);
        },
        onState: () => {
          for (const watcher of [...this.#watchers]) watcher();
        },
      },
    });
  }

  #take(events: readonly Event[]): void {
    for (const event of events) this.#pending.push(event);
    const hidden = document.visibilityState !== 'visible';
    if (hidden && this.#pending.length >= MOST_PENDING) this.#deliver();
    if (this.#scheduled || this.#pending.length === 0) return;
    this.#scheduled = true;
    // a tab that is hidden before its next frame has none
    setTimeout(this.#deliver, HIDDEN_MS);
    if (!hidden) requestAnimationFrame(this.#deliver);
  }

  readonly #deliver = (): void => {
    this.#scheduled = false;
    const events = this.#pending;
    if (events.length === 0) return;
    this.#pending = [];
    for (const subscriber of [...this.#subscribers]) subscriber.onEvents(events);
  };
}
