import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { type CallChannel, isObject, type Json, type JsonObject } from '../../operations/index.ts';

/** The client's side of one request: progress, log, capabilities and answers to earlier questions. */
export function channelOf(
  server: Server,
  context: ServerContext,
  requestState: Json | undefined,
): CallChannel {
  const { mcpReq, http } = context;
  const token = mcpReq._meta?.progressToken;
  const clientCapabilities = capabilitiesOf(server, context);
  return {
    log: (level, data, logger) => mcpReq.log(level, data, logger),
    ...(token === undefined ? {} : { progress: progressTo(context, token) }),
    ...(clientCapabilities === undefined ? {} : { clientCapabilities }),
    ...(mcpReq.inputResponses === undefined ? {} : { inputResponses: mcpReq.inputResponses as JsonObject }),
    ...(requestState === undefined ? {} : { requestState }),
    ...(http?.closeSSE === undefined ? {} : { closeStream: http.closeSSE }),
  };
}

/** The same for a plain call, which carries neither progress token nor log level. */
export function directChannel(
  server: Server,
  envelope: Readonly<Record<string, unknown>> | undefined,
): CallChannel {
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return {
    // since 2026-07-28 a request without a level gets no log
    log: async (level, data, logger) => {
      if (envelope === undefined) await server.sendLoggingMessage({ level, data, logger });
    },
    ...(isObject(declared) ? { clientCapabilities: declared } : {}),
  };
}

/** Values must increase; what does not is dropped, as is everything after the request has ended. */
function progressTo(
  { mcpReq }: ServerContext,
  progressToken: string | number,
): NonNullable<CallChannel['progress']> {
  let last = Number.NEGATIVE_INFINITY;
  return async (progress, total, message) => {
    if (!(progress > last) || mcpReq.signal.aborted) return;
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
