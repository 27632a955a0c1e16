import type { Event } from '../../../gateway/src/operations/index.ts';
import type { EventReader, Gap, StreamFailure, StreamListener } from './event-reader.ts';
import type { Hello, StreamState, Word } from './stream-words.ts';
import type { LockWanted, TabChannel, Tabs } from './tabs.ts';

interface SharedStreamParts {
  readonly tabs: Tabs;
  readonly createReader: (listener: StreamListener) => Pick<EventReader, 'last' | 'run' | 'wake'>;
  /** A page of the log behind `after`, `last` of which is `after` where there is nothing. Throws as requests do. */
  readonly readMissed: (after: number, signal: AbortSignal) => Promise<MissedEvents>;
  readonly isVisible: () => boolean;
  readonly listener: Omit<StreamListener, 'onState'> & { onState(): void };
}

interface MissedEvents {
  readonly events: readonly Event[];
  readonly last: number;
}

/** A tab that hears nothing for so long asks whether the stream's owner lives. */
const QUIET_MS = 20_000;
/** The same where the connection is lost: timers of an owner that is hidden may sleep for a minute. */
const QUIET_LOST_MS = 5_000;
/** A tab that is alive answers at once, hidden or not. */
const ANSWER_MS = 3_000;
/** A new owner that is not connected by then says so. */
const SOON_MS = 1_000;
/** Whoever has missed more sequences reads its lists again instead. */
const MOST_MISSED = 10_000;

/** One stream for the tabs of a browser: the one that has the lock reads it, the others hear it from there. */
export class SharedStream {
  state: StreamState = 'closed';
  /** Why it is lost, where that is known. */
  failure: StreamFailure | undefined;
  readonly #parts: SharedStreamParts;
  /** Undefined: begin with what comes. */
  #last: number | undefined;
  #log: number | undefined;
  #leaving: AbortController | undefined;
  #channel: TabChannel | undefined;
  /** Set in the tab that has the lock. */
  #reader: ReturnType<SharedStreamParts['createReader']> | undefined;
  #waiting: AbortController | undefined;
  #steal = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #catching: AbortController | undefined;
  /** How far the others are, while this tab reads what it missed. */
  #target = 0;

  constructor(parts: SharedStreamParts) {
    this.#parts = parts;
  }

  /** Takes part in the stream of whoever this is, behind the last event that was heard. */
  join(whose: string): void {
    if (this.#leaving !== undefined) return;
    const leaving = new AbortController();
    this.#leaving = leaving;
    this.#enter(this.#last === undefined ? 'connecting' : 'lost');
    void this.#takePart(whose, leaving.signal);
  }

  /** At once: whoever waits for the lock has it next. */
  leave(): void {
    this.#leaving?.abort();
    this.#leaving = undefined;
    this.#channel?.close();
    this.#channel = undefined;
    this.#reader = undefined;
    this.#stopCatching();
    clearTimeout(this.#timer);
    this.#steal = false;
    this.#enter('closed');
  }

  /** Begins with what comes. */
  forget(): void {
    this.#last = undefined;
    this.#log = undefined;
  }

  /** Somebody looks at this tab, or the network is back. */
  look(): void {
    if (this.#reader !== undefined) this.#reader.wake();
    else if (this.#channel !== undefined) this.#ask();
  }

  async #takePart(whose: string, signal: AbortSignal): Promise<void> {
    const name = await this.#parts.tabs.nameOf(whose);
    if (signal.aborted) return;
    this.#channel = this.#parts.tabs.join(name, (word) => {
      if (!signal.aborted) this.#hear(word as Hello | Word);
    });
    this.#ask();
    while (!signal.aborted) await this.#waitForTurn(name, signal);
  }

  /** Until the stream was this tab's and is no more. */
  async #waitForTurn(name: string, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const over = new AbortController();
    this.#waiting = waiting;
    const wanted: LockWanted = this.#steal
      ? { steal: true }
      : { signal: AbortSignal.any([signal, waiting.signal]) };
    this.#steal = false;
    const lead = () => this.#lead(AbortSignal.any([signal, over.signal]));
    try {
      await this.#parts.tabs.lock(name, wanted, lead);
    } catch (error) {
      if (signal.aborted) return;
      // a browser that refuses locks to this page
      if ((error as Partial<Error>)?.name !== 'AbortError') await lead();
    } finally {
      over.abort();
    }
    if (signal.aborted || this.#steal) return;
    this.#reader = undefined;
    this.#ask();
  }

  async #lead(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    clearTimeout(this.#timer);
    this.#steal = false;
    this.#stopCatching();
    const reader = this.#parts.createReader({
      onState: (state, failure) => {
        if (signal.aborted) return;
        clearTimeout(late);
        this.#last = reader.last;
        this.#enter(state, failure);
        this.#tell();
      },
      onEvents: (events) => {
        if (signal.aborted) return;
        const after = this.#last;
        this.#last = reader.last;
        this.#tell({ after, events });
        this.#parts.listener.onEvents(events);
      },
      onGap: (gap) => {
        if (signal.aborted) return;
        if (gap.oldest <= gap.after) this.#log = Math.random();
        this.#last = reader.last;
        this.#tell({ gap });
        this.#parts.listener.onGap(gap);
      },
    });
    this.#reader = reader;
    this.#log ??= Math.random();
    // nobody is told of a change of owners that costs nothing
    const late = setTimeout(() => {
      if (this.state !== 'open') return;
      this.#enter('lost');
      this.#tell();
    }, SOON_MS);
    this.#tell();
    try {
      await reader.run(this.#last, signal);
    } finally {
      clearTimeout(late);
      if (this.#reader === reader) this.#reader = undefined;
    }
  }

  #tell({
    after = this.#last,
    events = [],
    gap,
  }: Partial<Pick<Word, 'after' | 'events' | 'gap'>> = {}): void {
    const { state, failure } = this;
    const word: Word = {
      kind: 'word',
      log: this.#log!,
      state,
      failure,
      after,
      last: this.#last,
      events,
      gap,
    };
    this.#channel?.post(word);
  }

  #hear(word: Hello | Word): void {
    if (word.kind === 'hello') {
      if (this.#reader === undefined) return;
      this.#tell();
      if (word.waiting && this.state === 'lost') this.#reader.wake();
      return;
    }
    // of an owner before this one: the reader has it, too
    if (this.#reader !== undefined) return;
    const { log, state, failure, after, gap } = word;
    const gone = gap ?? this.#goneWith(log, after);
    const goesOn = log === this.#log;
    this.#log = log;
    if (gone !== undefined) {
      this.#stopCatching();
      this.#last = goesOn ? Math.max(this.#last ?? 0, after ?? 0) : after;
      this.#parts.listener.onGap(gone);
    }
    this.#last ??= after;
    this.#enter(state, failure);
    this.#rest();
    this.#take(word);
  }

  /** The log counts anew, and this tab did not hear of it. */
  #goneWith(log: number, after: number | undefined): Gap | undefined {
    if (this.#log === undefined || this.#log === log || this.#last === undefined) return undefined;
    return { after: this.#last, oldest: (after ?? 0) + 1 };
  }

  #take({ after, last, events }: Word): void {
    const known = this.#last;
    if (after === undefined || last === undefined || known === undefined) return;
    if (after > known || this.#catching !== undefined) {
      this.#target = Math.max(this.#target, last);
      if (this.#catching === undefined) void this.#catchUp();
      return;
    }
    this.#last = Math.max(known, last);
    this.#deliver(events, known);
  }

  #deliver(events: readonly Event[], known: number): void {
    const fresh = events.filter(({ sequence }) => sequence > known);
    if (fresh.length > 0) this.#parts.listener.onEvents(fresh);
  }

  /** Reads what other tabs heard and this one did not. Where that fails, the owner's next word begins it again. */
  async #catchUp(): Promise<void> {
    const catching = new AbortController();
    const { signal } = catching;
    this.#catching = catching;
    try {
      while (this.#last! < this.#target) {
        const known = this.#last!;
        if (this.#target - known > MOST_MISSED) {
          this.#last = this.#target;
          this.#parts.listener.onGap({ after: known, oldest: this.#target + 1 });
          break;
        }
        const { events, last } = await this.#parts.readMissed(known, signal);
        if (signal.aborted) return;
        // what is in between is not for this caller
        this.#last = last > known ? last : this.#target;
        this.#deliver(events, known);
      }
    } catch {
      // as above
    } finally {
      if (this.#catching === catching) this.#stopCatching();
    }
  }

  #stopCatching(): void {
    this.#catching?.abort();
    this.#catching = undefined;
    this.#target = 0;
  }

  /** Waits for the next word. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), this.state === 'lost' ? QUIET_LOST_MS : QUIET_MS);
  }

  #ask(): void {
    clearTimeout(this.#timer);
    const hello: Hello = { kind: 'hello', waiting: this.state === 'lost' && this.#parts.isVisible() };
    this.#channel?.post(hello);
    this.#timer = setTimeout(() => this.#takeOver(), ANSWER_MS);
  }

  /** The owner does not answer: it is frozen, or hangs. */
  #takeOver(): void {
    if (this.#reader !== undefined) return;
    this.#steal = true;
    this.#waiting?.abort();
  }

  #enter(state: StreamState, failure?: StreamFailure): void {
    if (state === this.state && failure?.text === this.failure?.text) return;
    this.state = state;
    this.failure = failure;
    this.#parts.listener.onState();
  }
}
