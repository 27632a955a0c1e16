import { ToolcribError } from '../errors.ts';
import type { CallEvent, Event, EventBody } from '../operations/index.ts';
import type { EventEntry, Store } from '../store/store.ts';
import { storeError } from '../store/store-errors.ts';
import { endsCall } from './event-rows.ts';
import { endOfCall, startedCalls } from './list-events.ts';

/** So long the start of a call that only reads may wait for company, milliseconds. */
const PATIENCE_MS = 50;
/** Events of one transaction. */
const BATCH = 500;
/** Pauses before the end of a call is tried again, milliseconds; the last one repeats. */
const PAUSES = [50, 200, 500, 1000, 5000];
/** After so many attempts the caller is told; the end of its call goes on being tried. */
const ATTEMPTS_WAITED = 3;

export interface GroupCommitOptions {
  readonly store: Store;
  entryOf(body: EventBody): EventEntry;
  /** Before each transaction. */
  prepare(): Promise<void> | undefined;
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
}

/**
 * What is added within one turn of the event loop becomes one transaction, and while that is committed the next
 * one gathers. A call that only reads does not wait for its start to be committed: mostly that goes with its end,
 * which is committed at once when no other call is open. The end of a call is never given up.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { store } = options;
  let waiting: Waiting[] = [];
  let unwritten: Waiting[] = [];
  /** Starts whose commit failed and may have happened all the same. */
  let doubtful: CallEvent[] = [];
  /** Calls that read and are refused since their start could not be committed; their end is still to come. */
  const refused = new Map<string, ToolcribError>();
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
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      try {
        await commit(batch);
        retries = 0;
      } catch (error) {
        for (const one of batch) fail(one, storeError(error));
        waiting = waiting.filter((one) => !isRefused(one));
        tryAgain();
      }
    }
    flushing = undefined;
  };

  const commit = async (batch: readonly Waiting[]) => {
    await options.prepare();
    const sequences = await store.append(batch.map(({ entry }) => entry));
    const events: Array<Event | undefined> = batch.map(({ body, entry }, index) => {
      const sequence = sequences[index];
      const time = new Date(entry.event.time).toISOString();
      return sequence === undefined ? undefined : Object.freeze({ ...body, sequence, time });
    });
    for (const [index, one] of batch.entries()) {
      const event = events[index] ?? (await existing(one.body));
      if (event === undefined) {
        one.reject(new ToolcribError('internal', 'A call id was used twice.'));
      } else {
        options.committed(event);
        one.resolve(event);
      }
    }
  };

  /** Written before: by an attempt whose answer was lost, or by whoever took this process for ended. */
  const existing = async (body: EventBody) => (endsCall(body) ? endOfCall(store, body.call) : undefined);

  /** Nothing is left of a refused call: an end alone would tell of an answer that nobody got. */
  const isRefused = ({ body, reject }: Waiting): boolean => {
    if (!endsCall(body)) return false;
    const error = refused.get(body.call);
    if (error === undefined) return false;
    refused.delete(body.call);
    reject(error);
    return true;
  };

  const fail = (one: Waiting, error: ToolcribError) => {
    if (isRefused(one)) return;
    one.attempts++;
    const { body } = one;
    if (body.type === 'call-started') {
      doubtful.push(body);
      open.delete(body.call);
      if (body.access === 'read') refused.set(body.call, error);
    }
    if (endsCall(body)) unwritten.push(one);
    if (endsCall(body) && one.attempts !== ATTEMPTS_WAITED && !closed) return;
    options.failed(error, body);
    one.reject(error);
  };

  const tryAgain = () => {
    if (closed || retry !== undefined || unwritten.length + doubtful.length === 0) return;
    const pause = PAUSES[Math.min(retries++, PAUSES.length - 1)];
    retry = setTimeout(() => {
      retry = undefined;
      void again();
    }, pause).unref();
  };

  const again = async () => {
    const more = unwritten;
    unwritten = [];
    if (more.length > 0) enqueue(more);
    await endDoubtful().catch(() => undefined);
    tryAgain();
  };

  /** A call that was refused because its start could not be confirmed has no end from elsewhere. */
  const endDoubtful = async () => {
    if (doubtful.length === 0) return;
    const asked = doubtful.slice(0, BATCH);
    const found = new Set(
      await startedCalls(
        store,
        asked.map(({ call }) => call),
      ),
    );
    doubtful = doubtful.filter((one) => !asked.includes(one));
    enqueue(
      asked
        .filter(({ call }) => found.has(call))
        .map((start) => waitingFor({ ...start, ...unconfirmed(start) }).waiting),
    );
  };

  const waitingFor = (body: EventBody) => {
    const { promise, resolve, reject } = Promise.withResolvers<Event>();
    promise.catch(() => undefined);
    return { promise, waiting: { body, entry: options.entryOf(body), resolve, reject, attempts: 0 } };
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
      if (isRefused(one)) return promise;
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
      await again();
      await flushing;
    },
  };
}

function unconfirmed({ access }: CallEvent) {
  const consequence = access === 'read' ? 'its answer was not given' : 'nothing was sent';
  return {
    type: 'call-failed',
    durationMs: 0,
    code: 'store_unavailable',
    message: `The start of the call could not be confirmed; ${consequence}.`,
  } as const;
}
