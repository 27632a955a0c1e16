import { ToolcribError } from '../errors.ts';
import type { CallEvent, Event, EventBody } from '../operations/index.ts';
import type { EventEntry, Store } from '../store/store.ts';
import { storeError, wasNotReached, wasRefused } from '../store/store-errors.ts';
import { endsCall } from './event-rows.ts';
import { endOfCall } from './list-events.ts';

/** So long the start of a call that only reads may wait for company, milliseconds. */
const PATIENCE_MS = 50;
/** Events of one transaction. */
const BATCH = 500;
/** Pauses before the end of a call is tried again, milliseconds; the last one repeats. */
const PAUSES = [50, 200, 500, 1000, 5000];
/** After so many attempts, or one that took so long, the caller is told; the end of its call goes on being tried. */
const ATTEMPTS_WAITED = 3;
const WAITED_MS = 15_000;
/** Of facts beside calls so many are kept while the store is away. */
const MOST_KEPT = 1000;

export interface GroupCommitOptions {
  readonly store: Store;
  entryOf(body: EventBody): EventEntry;
  /** Before each transaction; where it fails, nothing is written. */
  prepare(): Promise<void> | undefined;
  /** The start of a call failed and may be written all the same, now or later. */
  doubted(call: string): void;
  /** After each transaction, in its order and before the promises of `add` resolve. */
  committed(event: Event): void;
  failed(error: ToolcribError, body: EventBody): void;
}

export interface GroupCommit {
  add(body: EventBody): Promise<Event>;
  /** One last attempt at everything. */
  close(): Promise<void>;
}

interface Waiting {
  readonly body: EventBody;
  readonly entry: EventEntry;
  resolve(event: Event): void;
  reject(error: unknown): void;
  attempts: number;
  /** By the process's own clock, milliseconds. */
  readonly since: number;
  isTold: boolean;
}

/**
 * What is added within one turn of the event loop becomes one transaction, and while that is committed the next
 * one gathers. A call that only reads does not wait for its start to be committed: mostly that goes with its end,
 * which is committed at once when no other call is open. The end of a call is never given up, unless its start was
 * surely not written: such a call leaves nothing. Nor is what is no call's, where the store was not reached; who waits
 * for it is told at once.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { store } = options;
  let waiting: Waiting[] = [];
  let unwritten: Waiting[] = [];
  /**
   * Starts whose commit failed and may happen all the same, by call: what a broken connection has sent may be carried
   * out at any later time. Each is written again, before the end of its call.
   */
  const doubtful = new Map<string, Waiting>();
  /** Calls that read and have no start: their ends are left out. */
  const unstarted = new Set<string>();
  let flushing: Promise<void> | undefined;
  let patience: NodeJS.Timeout | undefined;
  /** Calls that were started and not ended here. */
  const open = new Set<string>();
  let retry: NodeJS.Timeout | undefined;
  let retries = 0;
  let closed = false;

  const flush = async (gather: boolean) => {
    if (gather) await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH).flatMap(withStart);
      waiting = waiting.slice(BATCH);
      let sent = false;
      try {
        await options.prepare();
        sent = true;
        await commit(batch);
        retries = 0;
      } catch (error) {
        for (const one of batch) fail(one, storeError(error), sent);
        tryAgain();
      }
    }
    flushing = undefined;
  };

  /** What is written in place of it: the end of a call has its start before it, or stays away with it. */
  const withStart = (one: Waiting): readonly Waiting[] => {
    const { body } = one;
    if (!endsCall(body)) return [one];
    if (unstarted.delete(body.call)) {
      one.reject(new ToolcribError('store_unavailable', 'The start of the call could not be recorded.'));
      return [];
    }
    const start = doubtful.get(body.call);
    if (start === undefined) return [one];
    doubtful.delete(body.call);
    return [start, one];
  };

  const commit = async (batch: readonly Waiting[]) => {
    const sequences = await store.append(batch.map(({ entry }) => entry));
    for (const [index, one] of batch.entries()) {
      const { body, entry } = one;
      const sequence = sequences[index];
      const time = new Date(entry.event.time).toISOString();
      const event = sequence === undefined ? await existing(one) : Object.freeze({ ...body, sequence, time });
      if (event === undefined) continue;
      options.committed(event);
      one.resolve(event);
    }
  };

  /** Written before: by an attempt whose answer was lost, or by whoever took this process for ended. */
  const existing = async (one: Waiting): Promise<Event | undefined> => {
    const { body } = one;
    try {
      const event = endsCall(body) ? await endOfCall(store, body.call) : undefined;
      if (event === undefined) one.reject(new ToolcribError('internal', 'A call id was used twice.'));
      return event;
    } catch (error) {
      // the others of its transaction are written
      fail(one, storeError(error), true);
      tryAgain();
      return undefined;
    }
  };

  /** @param sent false: it did not get as far as being sent */
  const fail = (one: Waiting, error: ToolcribError, sent: boolean) => {
    one.attempts++;
    const { body } = one;
    if (body.type === 'call-started') {
      open.delete(body.call);
      notStarted(one, body, sent && !wasRefused(error));
      if (one.attempts > 1) return;
    }
    if (endsCall(body)) {
      if (unstarted.delete(body.call)) return one.reject(error);
      unwritten.push(one);
      const isLate = one.attempts >= ATTEMPTS_WAITED || performance.now() - one.since > WAITED_MS;
      if (one.isTold || !(isLate || closed)) return;
      one.isTold = true;
    } else if (isFact(body) && (!sent || wasNotReached(error)) && unwritten.length < MOST_KEPT) {
      // nothing else would ever tell of it; it cannot stand there twice, and none that is refused keeps others out
      unwritten.push(one);
      if (one.isTold) return;
      one.isTold = true;
    }
    options.failed(error, body);
    one.reject(error);
  };

  /** Who reads brings an end; what may change something was refused at once, and has none from elsewhere. */
  const notStarted = (one: Waiting, body: CallEvent, maybe: boolean) => {
    const reads = body.access === 'read';
    if (!maybe && one.attempts === 1) {
      if (reads) unstarted.add(body.call);
      return;
    }
    doubtful.set(body.call, one);
    options.doubted(body.call);
    if (one.attempts === 1 && !reads) unwritten.push(waitingFor({ ...body, ...UNCONFIRMED }).waiting);
  };

  const tryAgain = () => {
    if (closed || retry !== undefined || unwritten.length + doubtful.size === 0) return;
    const pause = PAUSES[Math.min(retries++, PAUSES.length - 1)];
    retry = setTimeout(() => {
      retry = undefined;
      again();
    }, pause).unref();
  };

  const again = () => {
    const more = unwritten;
    unwritten = [];
    // the end of a call that reads may be long in coming
    const reads = [...doubtful.values()].filter(({ body }) => 'access' in body && body.access === 'read');
    for (const { body } of reads) doubtful.delete((body as CallEvent).call);
    enqueue([...reads, ...more]);
    tryAgain();
  };

  const waitingFor = (body: EventBody) => {
    const { promise, resolve, reject } = Promise.withResolvers<Event>();
    promise.catch(() => undefined);
    const entry = options.entryOf(body);
    const since = performance.now();
    return { promise, waiting: { body, entry, resolve, reject, attempts: 0, since, isTold: false } };
  };

  const begin = (gather = true) => {
    if (waiting.length > 0) flushing ??= flush(gather);
  };

  const enqueue = (more: readonly Waiting[]) => {
    waiting.push(...more);
    begin();
  };

  const beginLater = () => {
    patience ??= setTimeout(() => {
      patience = undefined;
      begin();
    }, PATIENCE_MS).unref();
  };

  return {
    add(body) {
      if (closed) return Promise.reject(new ToolcribError('store_unavailable', 'The event log is closed.'));
      const { promise, waiting: one } = waitingFor(body);
      waiting.push(one);
      if (body.type === 'call-started') open.add(body.call);
      if (endsCall(body)) open.delete(body.call);
      if (body.type === 'call-started' && body.access === 'read') beginLater();
      else begin(!endsCall(body) || open.size > 0);
      return promise;
    },
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(retry);
      clearTimeout(patience);
      begin();
      again();
      await flushing;
    },
  };
}

/** What happened, whether or not it is written: decisions, changes, sources. A call's progress is old by then. */
function isFact({ type }: EventBody): boolean {
  return type !== 'call-started' && type !== 'call-progress';
}

const UNCONFIRMED = {
  type: 'call-failed',
  durationMs: 0,
  code: 'store_unavailable',
  message: 'The start of the call could not be confirmed; nothing was sent.',
} as const;
