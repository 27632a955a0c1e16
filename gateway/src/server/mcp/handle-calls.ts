import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolcribError } from '../../errors.ts';
import type { CallChannel, CompletedResult, Result } from '../../operations/index.ts';
import { directChannel } from './call-channel.ts';
import { callMeta } from './call-meta.ts';
import { type CoreRequest, exchange } from './exchange.ts';
import { plainAnswer } from './plain/plain-answer.ts';
import type { AskedCall, CallRoute, Envelope } from './plain/plain-call.ts';
import { toolResultOf } from './tool-results.ts';
import type { ListsOf, Translation } from './translation.ts';

/** Carries out calls of one client and words their results. */
interface Calls {
  call(asked: AskedCall, request: CoreRequest, envelope: Envelope): Promise<Result>;
  toolResult(result: CompletedResult, name: string, envelope: Envelope): CallToolResult;
}

/** @param ownRun a connection that stays is one run, unless its client says more */
export function callsOf(
  { core, session, client }: Pick<Translation, 'core' | 'session' | 'client'>,
  lists: ListsOf,
  ownRun: string | undefined,
): Calls {
  return {
    call({ name, arguments: args, meta = {} }, request, envelope) {
      const { run = ownRun, traceparent, approval } = meta;
      return core.call({
        ...request,
        tool: name,
        client: client(envelope),
        ...(approval === undefined ? {} : { channel: { ...request.channel, approval } }),
        ...(args === undefined ? {} : { arguments: args }),
        ...(run === undefined ? {} : { run }),
        ...(traceparent === undefined ? {} : { traceparent }),
      });
    },
    toolResult: (result, name, envelope) =>
      toolResultOf(result, { tool: lists(envelope).tool(name), anyStructured: session.era === 'modern' }),
  };
}

/** The way of plain calls, without the SDK. */
export function routeOf(
  { core, session, held }: Pick<Translation, 'core' | 'session' | 'held'>,
  { call, toolResult }: Calls,
  envelope: Envelope,
  channel: () => CallChannel,
): CallRoute {
  const modern = session.era === 'modern';
  return {
    envelope,
    run(asked, signal, side = (own) => own) {
      const request = { principal: session.principal, signal, channel: side(channel()) };
      const begin = (own: CoreRequest) => call(asked, own, envelope);
      return modern ? held.run(request, begin) : begin(request);
    },
    answer(result, { name }) {
      if (result.kind !== 'completed') return undefined;
      const identity = modern ? { name: core.name, version: core.version } : undefined;
      return plainAnswer(toolResult(result, name, envelope), identity);
    },
  };
}

/** Calls that come through the SDK. */
export function handleCalls(translation: Translation, lists: ListsOf, ownRun: string | undefined): void {
  const { server, session } = translation;
  const { direct } = session;
  const calls = callsOf(translation, lists, ownRun);
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const { id, envelope } = context.mcpReq;
    const { name, arguments: args } = params as AskedCall;
    const asked: AskedCall = {
      name,
      meta: callMeta(context.mcpReq._meta, context.http?.req),
      ...(args === undefined ? {} : { arguments: args }),
    };
    direct?.open(routeOf(translation, calls, envelope, () => directChannel(server, envelope)));
    return exchange(translation, context, asked.name, {
      begun: direct?.begun(id),
      run: (request) => calls.call(asked, request, envelope),
      answer: (result: CompletedResult) => calls.toolResult(result, asked.name, envelope),
      failed: (error) => calls.toolResult(failedResult(error), asked.name, envelope),
    });
  });
}

/** A person took too long, the store cannot be opened: outcomes of the call, no faults of the request. */
function failedResult({ code, message, next }: ToolcribError): CompletedResult {
  return { kind: 'completed', content: [], error: { code, message, next } };
}
