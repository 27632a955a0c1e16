import { AsyncLocalStorage } from 'node:async_hooks';
import type { ToolcribError } from '../../errors.ts';
import type { CallChannel } from '../../operations/index.ts';

/** On whose behalf a request is open at the server. */
export interface OpenCall {
  readonly principal: string;
  readonly channel: CallChannel;
  readonly signal: AbortSignal;
  /** The task whose end the request waits for. */
  readonly task?: string;
  /** Told why a question was not put to the caller who could have answered it. */
  readonly unasked?: (why: ToolcribError) => void;
}

/** Finds whose call a message of the server belongs to; never guesses between two people. */
export interface CallsInFlight {
  readonly size: number;
  begin(call: OpenCall): void;
  end(call: OpenCall): void;
  /**
   * Ends a call that its caller gave up: the server may not know it yet, or not heed it. For a while, or until
   * `answered`, what it asks may be of this call.
   * @param request its id
   */
  leave(call: OpenCall, request: number): void;
  /** The answer to a call that was given up has come. */
  answered(request: number): void;
  /** Runs `send` so that what arrives on the stream that it opens is known to belong to the call. */
  within<T>(call: OpenCall, send: () => T): T;
  /** Runs outside of every call: for connections that outlive the call that caused them. */
  outside<T>(start: () => T): T;
  /**
   * The call that a question belongs to; undefined where there is none, or more than one person may be meant.
   * @param task that the question names
   */
  owner(task?: string): OpenCall | undefined;
  /** Whether a question that names no call may be meant for more than one person. */
  readonly isAmbiguous: boolean;
  /** Puts a question to the call, which waits for its answer: another question is rather that of another call. */
  asking<T>(call: OpenCall, ask: () => Promise<T>): Promise<T>;
  /** The calls that a notification may be told to. */
  audience(): readonly OpenCall[];
}

/** How long a server may go on with a call that was given up, as far as its questions are concerned, milliseconds. */
const LEFT_MS = 30_000;

/** @param streams whether each request has a stream of its own, as over HTTP */
export function createCallsInFlight(
  streams: boolean,
  now: () => number = () => performance.now(),
): CallsInFlight {
  const open = new Set<OpenCall>();
  /** Who gave up which request, and until when a question may be of it; the oldest first. */
  const left = new Map<number, { readonly principal: string; readonly until: number }>();
  /** Open questions of each. */
  const questions = new Map<OpenCall, number>();
  const context = streams ? new AsyncLocalStorage<OpenCall | undefined>() : undefined;
  const ofStream = (): OpenCall | undefined => {
    const call = context?.getStore();
    return call !== undefined && open.has(call) ? call : undefined;
  };
  const forget = () => {
    for (const [request, { until }] of left) {
      if (until > now()) return;
      left.delete(request);
    }
  };
  /** A stream may outlive its call for a moment: what comes on it is for nobody but the same person. */
  const maybeMeant = (): readonly OpenCall[] => {
    const ended = context?.getStore();
    return [...open].filter(({ principal }) => ended === undefined || principal === ended.principal);
  };
  /** Whether what comes for one of the calls may be meant for somebody else. */
  const isDoubtful = (calls: readonly OpenCall[]): boolean => {
    forget();
    const others = context?.getStore() === undefined ? [...left.values()] : [];
    return [...calls, ...others].some(({ principal }) => principal !== calls[0]!.principal);
  };
  const onePerson = (): readonly OpenCall[] => {
    const calls = maybeMeant();
    return calls.length > 0 && !isDoubtful(calls) ? calls : [];
  };
  return {
    get size() {
      return open.size;
    },
    get isAmbiguous() {
      const calls = maybeMeant();
      return ofStream() === undefined && calls.length > 0 && isDoubtful(calls);
    },
    begin: (call) => void open.add(call),
    end: (call) => void open.delete(call),
    leave(call, request) {
      open.delete(call);
      forget();
      left.set(request, { principal: call.principal, until: now() + LEFT_MS });
    },
    answered: (request) => void left.delete(request),
    within: (call, send) => (context === undefined ? send() : context.run(call, send)),
    outside: (start) => (context === undefined ? start() : context.run(undefined, start)),
    owner(task) {
      const own = ofStream() ?? maybeMeant().find((call) => task !== undefined && call.task === task);
      if (own !== undefined) return own;
      const calls = onePerson();
      const able = calls.filter(({ channel }) => channel.ask !== undefined);
      // a call that waits for an answer asks nothing more as a rule; where each of them waits, the latest may
      return able.findLast((call) => !questions.has(call)) ?? able.at(-1) ?? calls.at(-1);
    },
    async asking(call, ask) {
      questions.set(call, (questions.get(call) ?? 0) + 1);
      try {
        return await ask();
      } finally {
        const left = questions.get(call)! - 1;
        if (left > 0) questions.set(call, left);
        else questions.delete(call);
      }
    },
    audience() {
      const own = ofStream();
      return own === undefined ? onePerson() : [own];
    },
  };
}
