import type { ToolcribError } from '../errors.ts';
import { type InputRequiredResult, type JsonObject, traceOf } from '../operations/index.ts';
import { inputRequired } from './answers.ts';
import { boundedChannel } from './bounded-channel.ts';
import type { OpenCall } from './session/calls-in-flight.ts';
import type { RequestTerms } from './session/requests.ts';
import type { Session } from './session/session.ts';
import { isAboutTask } from './tasks/task.ts';
import type { UpstreamRequest } from './upstreams.ts';

/** The result of a call, or what its server asks before it. */
export type CallEnd = { readonly kind: 'result'; readonly result: JsonObject } | InputRequiredResult;

/** What one of the requests has for itself. */
interface OwnTerms {
  readonly headers?: Readonly<Record<string, string>>;
  /** The task whose end it waits for. */
  readonly task?: string;
  /** Its progress goes on after its answer (MCP 2025-11-25, tasks: the token lives as long as the task). */
  readonly keepsProgress?: boolean;
}

/** The requests that one call takes: most take one, a task takes many. */
export interface CallRequests {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Why a question of the server was not put to the caller, where that happened. */
  readonly unasked?: ToolcribError | undefined;
  /** On whichever session there is at the moment. */
  send(method: string, params: JsonObject, own?: OwnTerms): Promise<JsonObject>;
  /** The same for a request that outlives the call, and that nobody waits for. */
  sendAfterwards(method: string, params: JsonObject): void;
  /** Tells the caller what is being done, as long as the server does not do so itself by progress. */
  tell(message: string): void;
  /** It takes long: whoever follows tasks need not wait for its answer. */
  becomesTask(message?: string): void;
  /** Settles when the caller has heard what was told. */
  told(): Promise<void>;
  /** Keeps the server from being stopped between two requests, until the returned function is called. */
  hold(): () => void;
  /** Nobody listens to its progress any longer. */
  close(): void;
}

type Once = <T>(signal: AbortSignal, deadline: number, run: (session: Session) => Promise<T>) => Promise<T>;

const AFTERWARDS_MS = 5_000;

export function createCallRequests(
  request: UpstreamRequest,
  once: Once,
  hold: () => () => void,
): CallRequests {
  const { signal, deadline } = request;
  const notices: Promise<unknown>[] = [];
  const stops: Array<() => void> = [];
  let unasked: ToolcribError | undefined;
  const terms = termsOf(request, notices, (why) => {
    unasked ??= why;
  });
  const { onProgress: say } = terms;
  let steps = 0;
  let isToldByServer = false;
  const ofServer: RequestTerms =
    say === undefined
      ? terms
      : {
          ...terms,
          onProgress(params) {
            isToldByServer = true;
            say(params);
          },
        };
  const onAnswered = (stop: () => void) => void stops.push(stop);
  return {
    signal,
    deadline,
    get unasked() {
      return unasked;
    },
    send: (method, params, own) =>
      once(signal, deadline, (session) =>
        session.request(
          method,
          paramsOf(method, params, request, session),
          own === undefined ? ofServer : withOwn(ofServer, own, onAnswered),
        ),
      ),
    sendAfterwards(method, params) {
      const until = Date.now() + AFTERWARDS_MS;
      once(AbortSignal.timeout(AFTERWARDS_MS), until, (session) =>
        session.request(method, params, { deadline: until }),
      ).catch(() => undefined);
    },
    tell(message) {
      if (isToldByServer) return;
      steps += 1;
      say?.({ progress: steps, message });
    },
    becomesTask: (message) => void request.channel.becomeTask?.(message).catch(() => undefined),
    told: async () => {
      if (notices.length > 0) await Promise.allSettled(notices);
    },
    hold,
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** One request, which is answered or asks. */
export function single(method: string, params: JsonObject): (call: CallRequests) => Promise<CallEnd> {
  return async (call) => {
    const result = await call.send(method, params);
    return inputRequired(result) ?? { kind: 'result', result };
  };
}

/** Answers of the caller go with the request that is made again, and with none that is about a task. */
function paramsOf(
  method: string,
  params: JsonObject,
  request: UpstreamRequest,
  session: Session,
): JsonObject {
  const { channel } = request;
  const { inputResponses, requestState } = channel;
  const isRetry =
    session.facts.era === 'modern' &&
    !isAboutTask(method) &&
    (inputResponses !== undefined || requestState !== undefined);
  if (!isRetry && request.traceparent === undefined) return params;
  return {
    ...params,
    ...(request.traceparent === undefined ? {} : { _meta: { ...traceOf(request) } }),
    ...(isRetry && inputResponses !== undefined ? { inputResponses } : {}),
    ...(isRetry && typeof requestState === 'string' ? { requestState } : {}),
  };
}

function withOwn(
  terms: RequestTerms,
  { headers, task, keepsProgress = false }: OwnTerms,
  onAnswered: NonNullable<RequestTerms['onAnswered']>,
): RequestTerms {
  return {
    ...terms,
    ...(keepsProgress ? { onAnswered } : {}),
    ...(headers === undefined ? {} : { headers }),
    ...(task === undefined || terms.call === undefined ? {} : { call: { ...terms.call, task } }),
  };
}

function termsOf(
  request: UpstreamRequest,
  notices: Promise<unknown>[],
  unasked: NonNullable<OpenCall['unasked']>,
): RequestTerms {
  const { deadline, principal, signal } = request;
  const channel = boundedChannel(request.channel);
  const terms: RequestTerms = { signal, deadline, call: { principal, channel, signal, unasked } };
  if (channel.progress === undefined) return terms;
  return {
    ...terms,
    onProgress({ progress, total, message }) {
      if (typeof progress !== 'number') return;
      const told = channel.progress?.(
        progress,
        typeof total === 'number' ? total : undefined,
        typeof message === 'string' ? message : undefined,
      );
      if (told !== undefined) notices.push(told.catch(() => undefined));
    },
  };
}
