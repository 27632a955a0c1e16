import type { Event } from '../../../../gateway/src/operations/index.ts';
import type { Gap, StreamListener } from '../../../src/api/event-reader.ts';
import { SharedStream } from '../../../src/api/shared-stream.ts';
import type { Tabs } from '../../../src/api/tabs.ts';

interface Ear {
  readonly name: string;
  readonly tab: FakeTab;
  readonly onWord: (word: unknown) => void;
}

interface Holder {
  readonly tab: FakeTab;
  readonly lost: (error: unknown) => void;
  readonly release: () => void;
}

/** A browser: tabs that hear each other, one lock a name, and a log that their streams read. */
export class FakeBrowser {
  /** Everything that happened. */
  log: Event[] = [];
  readonly open = new Set<FakeReader>();
  /** Requests for events that a tab missed. */
  missed = 0;
  /** The gateway takes no connection. */
  down = false;
  readonly ears = new Set<Ear>();
  readonly #holders = new Map<string, Holder>();
  readonly #queues = new Map<string, (() => void)[]>();

  tab(): FakeTab {
    return new FakeTab(this);
  }

  append(...sequences: number[]): void {
    for (const sequence of sequences) this.log.push(eventOf(sequence));
    for (const reader of this.open) reader.read();
  }

  post(from: FakeTab, name: string, word: unknown): void {
    const copy = structuredClone(word);
    for (const ear of this.ears)
      if (ear.tab !== from && ear.name === name) ear.tab.run(() => ear.onWord(copy));
  }

  lock(
    tab: FakeTab,
    name: string,
    steal: boolean,
    signal: AbortSignal | undefined,
    held: () => Promise<void>,
  ) {
    return new Promise<void>((resolve, reject) => {
      const next = () => {
        this.#holders.delete(name);
        this.#queues.get(name)?.shift()?.();
      };
      const grant = () => {
        const holder: Holder = { tab, lost: reject, release: next };
        this.#holders.set(name, holder);
        tab.run(() => {
          void held().then(() => {
            if (this.#holders.get(name) === holder) next();
            resolve();
          });
        });
      };
      const holder = this.#holders.get(name);
      if (steal && holder !== undefined) {
        holder.tab.run(() => holder.lost(new DOMException('Stolen.', 'AbortError')));
        grant();
      } else if (holder === undefined) grant();
      else {
        const queue = this.#queues.get(name) ?? [];
        this.#queues.set(name, queue);
        queue.push(grant);
        signal?.addEventListener('abort', () => {
          const at = queue.indexOf(grant);
          if (at < 0) return;
          queue.splice(at, 1);
          reject(new DOMException('Not waited for.', 'AbortError'));
        });
      }
    });
  }

  /** What a browser does with the locks of a tab that is gone. */
  drop(tab: FakeTab): void {
    for (const ear of this.ears) if (ear.tab === tab) this.ears.delete(ear);
    for (const { tab: holding, release } of this.#holders.values()) if (holding === tab) release();
  }
}

/** A tab and what it heard. */
export class FakeTab {
  readonly heard: number[] = [];
  readonly gaps: Gap[] = [];
  readonly states: string[] = [];
  readonly stream: SharedStream;
  visible = true;
  #frozen: (() => void)[] | undefined;
  readonly #browser: FakeBrowser;

  constructor(browser: FakeBrowser) {
    this.#browser = browser;
    const tabs: Tabs = {
      nameOf: async (whose) => whose,
      join: (name, onWord) => {
        const ear = { name, tab: this, onWord };
        browser.ears.add(ear);
        return {
          post: (word) => browser.post(this, name, word),
          close: () => void browser.ears.delete(ear),
        };
      },
      lock: (name, wanted, held) =>
        browser.lock(this, name, 'steal' in wanted, 'signal' in wanted ? wanted.signal : undefined, held),
    };
    this.stream = new SharedStream({
      tabs,
      createReader: (listener) => new FakeReader(browser, this, listener),
      readMissed: async (after) => {
        browser.missed++;
        const events = browser.log.filter(({ sequence }) => sequence > after).slice(0, 1000);
        return { events, last: events.at(-1)?.sequence ?? after };
      },
      isVisible: () => this.visible,
      listener: {
        onEvents: (events) => this.heard.push(...events.map(({ sequence }) => sequence)),
        onGap: (gap) => void this.gaps.push(gap),
        onState: () => void this.states.push(this.stream.state),
      },
    });
  }

  get owns(): boolean {
    return [...this.#browser.open].some(({ tab }) => tab === this);
  }

  /** What happens in this tab, at once or when it thaws. */
  run(work: () => void): void {
    if (this.#frozen === undefined) work();
    else this.#frozen.push(work);
  }

  /** Nothing runs in it any more, and it still has what it has. */
  freeze(): void {
    this.#frozen = [];
  }

  thaw(): void {
    const waiting = this.#frozen ?? [];
    this.#frozen = undefined;
    for (const work of waiting) work();
  }

  /** As a crash does: it says nothing more. */
  crash(): void {
    this.freeze();
    for (const reader of this.#browser.open) if (reader.tab === this) this.#browser.open.delete(reader);
    this.#browser.drop(this);
  }
}

/** One connection to the log of the browser's gateway. */
export class FakeReader {
  last: number | undefined;
  woken = 0;
  readonly tab: FakeTab;
  readonly #browser: FakeBrowser;
  readonly #listener: StreamListener;
  #wake: () => void = () => undefined;

  constructor(browser: FakeBrowser, tab: FakeTab, listener: StreamListener) {
    this.#browser = browser;
    this.tab = tab;
    this.#listener = listener;
  }

  wake(): void {
    this.woken++;
    this.#wake();
  }

  async run(last: number | undefined, signal: AbortSignal): Promise<void> {
    this.last = last;
    const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    if (signal.aborted) return;
    while (this.#browser.down && !signal.aborted) {
      this.#listener.onState('lost', { refused: false, text: 'The gateway does not answer.' });
      await Promise.race([over, new Promise<void>((resolve) => (this.#wake = resolve))]);
    }
    if (signal.aborted) return;
    this.last ??= this.#browser.log.at(-1)?.sequence ?? 0;
    this.#browser.open.add(this);
    this.#listener.onState('open');
    this.read();
    await over;
    this.#browser.open.delete(this);
  }

  read(): void {
    this.tab.run(() => {
      const newest = this.#browser.log.at(-1)?.sequence ?? 0;
      if (newest < this.last!) {
        const gap = { after: this.last!, oldest: this.#browser.log[0]!.sequence };
        this.last = gap.oldest - 1;
        this.#listener.onGap(gap);
      }
      const events = this.#browser.log.filter(({ sequence }) => sequence > this.last!);
      if (events.length === 0) return;
      this.last = newest;
      this.#listener.onEvents(events);
    });
  }
}

function eventOf(sequence: number): Event {
  return {
    type: 'call-progress',
    sequence,
    time: '2026-01-01T00:00:00.000Z',
    call: 'c',
    message: 'm',
  } as Event;
}
