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

/** @param streams whether each request has a stream of its own, as over HTTP */
export function createCallsInFlight(streams: boolean): CallsInFlight {
  const open = new Set<OpenCall>();
  /** Open questions of each. */
  const questions = new Map<OpenCall, number>();
  const context = streams ? new AsyncLocalStorage<OpenCall | undefined>() : undefined;
  const ofStream = (): OpenCall | undefined => {
    const call = context?.getStore();
    return call !== undefined && open.has(call) ? call : undefined;
  };
  /** A stream may outlive its call for a moment: what comes on it is for nobody but the same person. */
  const maybeMeant = (): readonly OpenCall[] => {
    const ended = context?.getStore();
    return [...open].filter(({ principal }) => ended === undefined || principal === ended.principal);
  };
  const onePerson = (): readonly OpenCall[] => {
    const calls = maybeMeant();
    return calls.every(({ principal }) => principal === calls[0]?.principal) ? calls : [];
  };
  return {
    get size() {
      return open.size;
    },
    get isAmbiguous() {
      return ofStream() === undefined && new Set(maybeMeant().map(({ principal }) => principal)).size > 1;
    },
    begin: (call) => void open.add(call),
    end: (call) => void open.delete(call),
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
