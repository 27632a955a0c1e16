import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {
  type CallChannel,
  type InputRequest,
  isObject,
  type Json,
  type JsonObject,
  type LogLevel,
} from '../../operations/index.ts';
import { refuseUndeclared } from '../held/declared-capabilities.ts';
import { type FormFaults, refuseMisfit } from '../held/fitting-answers.ts';
import { askClient, type Send } from './elicited-answer.ts';
import { readableAnswers } from './readable-answers.ts';

/** How long a client of an older revision may take to answer a question, milliseconds. */
const ANSWER_MS = 600_000;

interface ChannelTerms {
  readonly requestState: Json | undefined;
  readonly era: Era;
  readonly faultsOf: FormFaults | undefined;
  /** Whether the request is answered: nothing is told of it then (MCP progress, "Behavior Requirements"). */
  readonly hasEnded: () => boolean;
}

/** The client's side of one request: progress, log, capabilities and answers to earlier questions. */
export function channelOf(
  server: Server,
  context: ServerContext,
  { requestState, era, faultsOf, hasEnded }: ChannelTerms,
): CallChannel {
  const { mcpReq, http } = context;
  const token = mcpReq._meta?.progressToken;
  const clientCapabilities = capabilitiesOf(server, context);
  return {
    ...hearing(mcpReq.envelope, async (level, data, logger) => {
      if (!hasEnded()) await mcpReq.log(level, data, logger);
    }),
    ...(token === undefined ? {} : { progress: progressTo(context, token, hasEnded) }),
    ...(clientCapabilities === undefined ? {} : { clientCapabilities }),
    ...(mcpReq.inputResponses === undefined
      ? {}
      : { inputResponses: readableAnswers(mcpReq.inputResponses as JsonObject) }),
    ...(requestState === undefined ? {} : { requestState }),
    ...(http?.closeSSE === undefined ? {} : { closeStream: http.closeSSE }),
    ...(era === 'legacy'
      ? {
          ...tellingOfPages(server),
          // on the stream of the request itself: not every client listens on another
          ...asking(
            (question, options) => askClient(mcpReq.send as Send, question, options),
            clientCapabilities,
            faultsOf,
          ),
        }
      : {}),
  };
}

/**
 * The same for a plain call, which carries neither progress token nor log level.
 * @param server the client's own; before 2026-07-28 every client has one
 */
export function directChannel(
  server: Server | undefined,
  envelope: Readonly<Record<string, unknown>> | undefined,
  faultsOf: FormFaults | undefined,
): CallChannel {
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server?.getClientCapabilities();
  return {
    ...hearing(envelope, async (level, data, logger) => {
      await server?.sendLoggingMessage({ level, data, logger });
    }),
    ...(isObject(declared) ? { clientCapabilities: declared } : {}),
    ...(envelope === undefined && server !== undefined
      ? {
          ...tellingOfPages(server),
          ...asking(
            (question, options) => server.request(question, options),
            isObject(declared) ? declared : undefined,
            faultsOf,
          ),
        }
      : {}),
  };
}

/** Since 2026-07-28 a request says from which level on it hears log messages; one that says nothing gets none. */
function hearing(
  envelope: Readonly<Record<string, unknown>> | undefined,
  log: NonNullable<CallChannel['log']>,
): Pick<CallChannel, 'log' | 'logLevel'> {
  if (envelope === undefined) return { log };
  const level = envelope[LOG_LEVEL_META_KEY] as LogLevel | undefined;
  return level === undefined ? {} : { log, logLevel: level };
}

type Era = 'legacy' | 'modern';
type Ask = (
  question: { readonly method: InputRequest['method']; readonly params?: JsonObject },
  options: { readonly signal: AbortSignal; readonly timeout: number },
) => Promise<unknown>;

/**
 * Questions on a connection of the older revisions; what the client did not declare is not asked. Rejects with
 * `answer_invalid` for an answer that does not fit its form.
 */
function asking(
  askedBy: Ask,
  declared: JsonObject | undefined,
  faultsOf: FormFaults | undefined,
): Pick<CallChannel, 'ask'> {
  return {
    async ask(request, signal) {
      refuseUndeclared(request, declared);
      const { method, params } = request;
      const question = params === undefined ? { method } : { method, params };
      const answer = (await askedBy(question, { signal, timeout: ANSWER_MS })) as Json;
      await refuseMisfit(request, answer, faultsOf);
      return answer;
    },
  };
}

/** On the connection: the request that asked has mostly been answered by then. */
function tellingOfPages(server: Server): Pick<CallChannel, 'pageDone'> {
  return {
    async pageDone(elicitationId) {
      if (server.transport === undefined) return;
      await server.notification({ method: 'notifications/elicitation/complete', params: { elicitationId } });
    },
  };
}

/** Values must increase; what does not is dropped, as is everything after the request has ended. */
function progressTo(
  { mcpReq }: ServerContext,
  progressToken: string | number,
  hasEnded: ChannelTerms['hasEnded'],
): NonNullable<CallChannel['progress']> {
  let last = Number.NEGATIVE_INFINITY;
  return async (progress, total, message) => {
    if (!(progress > last) || mcpReq.signal.aborted || hasEnded()) return;
    last = progress;
    await mcpReq.notify({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    });
  };
}

/** 2026-07-28 declares them in every request, the older revisions once at the start. */
function capabilitiesOf(server: Server, { mcpReq }: ServerContext): JsonObject | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return isObject(declared) ? declared : undefined;
}
