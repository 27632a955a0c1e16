import { type CallToolResult, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { TaskEnd } from '../../call-tasks/index.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import {
  type CallChannel,
  type CompletedResult,
  isObject,
  type JsonObject,
  type Result,
  traceOf,
  UNTRUSTED_META,
} from '../../operations/index.ts';
import type { TaskResult, TaskWay } from '../held/open-call.ts';
import { directChannel } from './call-channel.ts';
import { callMeta } from './call-meta.ts';
import { withoutAdditions } from './client-additions.ts';
import { type CoreRequest, exchange, isOfProtocol } from './exchange.ts';
import { plainAnswer } from './plain/plain-answer.ts';
import type { AskedCall, CallRoute, Envelope } from './plain/plain-call.ts';
import { protocolErrorOf } from './protocol-errors.ts';
import { TaskCreated } from './tasks/task-created.ts';
import { createTaskResult } from './tasks/task-result.ts';
import { followsTasks, taskWay } from './tasks/task-way.ts';
import { toolResultOf } from './tool-results.ts';
import type { ListsOf, Translation } from './translation.ts';

/** Carries out calls of one client and words their results. */
interface Calls {
  call(asked: AskedCall, request: CoreRequest, envelope: Envelope): Promise<Result>;
  /** Throws `capability_missing` where that is why a call of 2026-07-28 failed: there it is an error of the request. */
  toolResult(result: CompletedResult, name: string, envelope: Envelope): CallToolResult;
  /** How a call of this request becomes a task; undefined: it does not. */
  taskWay(name: string, envelope: Envelope, channel: CallChannel): TaskWay | undefined;
}

/** @param ownRun a connection that stays is one run, unless its client says more */
export function callsOf(
  { core, session, client }: Pick<Translation, 'core' | 'session' | 'client'>,
  lists: ListsOf,
  ownRun: string | undefined,
): Calls {
  const toolResult: Calls['toolResult'] = (result, name, envelope) => {
    const isModern = session.era === 'modern';
    if (isModern) refuseIncapable(result);
    return toolResultOf(result, { tool: lists(envelope).tool(name), anyStructured: isModern });
  };
  return {
    call({ name, arguments: args, meta = {} }, request, envelope) {
      const { run = ownRun, approval } = meta;
      const asking = client(envelope);
      const inputSchema = () => lists(envelope).tool(name)?.inputSchema;
      return core.call({
        ...request,
        tool: name,
        client: asking,
        ...(approval === undefined ? {} : { channel: { ...request.channel, approval } }),
        ...(args === undefined ? {} : { arguments: withoutAdditions(args, asking.name, inputSchema) }),
        ...(run === undefined ? {} : { run }),
        ...traceOf(meta),
      });
    },
    toolResult,
    taskWay(name, envelope, channel) {
      if (session.era !== 'modern' || !followsTasks(channel.clientCapabilities)) return undefined;
      const completed = (result: CompletedResult): TaskEnd => {
        const { _meta, ...answer } = toolResult(result, name, envelope);
        const content = {
          ...answer,
          resultType: 'complete',
          _meta: { ..._meta, [SERVER_INFO_META_KEY]: { name: core.name, version: core.version } },
        };
        const source = labelledSource(_meta);
        return {
          status: 'completed',
          content: content as unknown as JsonObject,
          ...(source === undefined ? {} : { source }),
        };
      };
      const failedWith = (error: unknown): TaskEnd => {
        try {
          if (isToolcribError(error) && !isOfProtocol(error)) return completed(failedResult(error));
          return failed(error);
        } catch (other) {
          return failed(other);
        }
      };
      return taskWay(core, session.principal, {
        failedWith,
        endOf(outcome) {
          try {
            return completed(outcome as CompletedResult);
          } catch (error) {
            return failedWith(error);
          }
        },
      });
    },
  };
}

/** The way of plain calls, without the SDK. */
export function routeOf(
  { core, session, held }: Pick<Translation, 'core' | 'session' | 'held'>,
  { call, toolResult, taskWay }: Calls,
  envelope: Envelope,
  channel: () => CallChannel,
): CallRoute {
  const modern = session.era === 'modern';
  return {
    envelope,
    run(asked, signal, side = (own) => own) {
      const request = { principal: session.principal, signal, channel: side(channel()) };
      const begin = (own: CoreRequest) => call(asked, own, envelope);
      if (!modern) return begin(request);
      return held.run({ ...request, tasks: taskWay(asked.name, envelope, request.channel) }, begin);
    },
    answer(result, { name }) {
      const identity = modern ? { name: core.name, version: core.version } : undefined;
      if (result.kind === 'task') {
        const created = createTaskResult(result.task, Date.now());
        return JSON.stringify({ ...created, _meta: { [SERVER_INFO_META_KEY]: identity } });
      }
      if (result.kind !== 'completed') return undefined;
      return plainAnswer(toolResult(result, name, envelope), identity);
    },
  };
}

/** Calls that come through the SDK. */
export function handleCalls(translation: Translation, lists: ListsOf, ownRun: string | undefined): void {
  const { core, server, session } = translation;
  const { direct } = session;
  const calls = callsOf(translation, lists, ownRun);
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { id, envelope } = context.mcpReq;
    const { name, arguments: args } = params as AskedCall;
    const asked: AskedCall = {
      name,
      meta: callMeta(context.mcpReq._meta, context.http?.req),
      ...(args === undefined ? {} : { arguments: args }),
    };
    direct?.open(
      routeOf(translation, calls, envelope, () => directChannel(server, envelope, core.formFaults)),
    );
    const answer = await exchange<Result & CompletedResult, CallToolResult | TaskCreated>(
      translation,
      context,
      asked.name,
      {
        arguments: args,
        begun: direct?.begun(id),
        run: (request) => calls.call(asked, request, envelope),
        tasks: (channel) => calls.taskWay(asked.name, envelope, channel),
        answer: (result) => calls.toolResult(result, asked.name, envelope),
        created: ({ task }: TaskResult) => new TaskCreated(createTaskResult(task, Date.now())),
        failed: (error) => calls.toolResult(failedResult(error), asked.name, envelope),
      },
    );
    if (answer instanceof TaskCreated) throw answer;
    return answer;
  });
}

/** By the label of what strangers wrote; '' where it names no source. */
function labelledSource(meta: CallToolResult['_meta']): string | undefined {
  const label = meta?.[UNTRUSTED_META];
  if (!isObject(label)) return undefined;
  return typeof label['source'] === 'string' ? label['source'] : '';
}

/** As the request would have been answered with a JSON-RPC error. */
function failed(error: unknown): TaskEnd {
  const { code, message, data } = protocolErrorOf(error);
  return { status: 'failed', message, content: { code, message, data: data as JsonObject } };
}

/** A person took too long, the store cannot be opened: outcomes of the call, no faults of the request. */
function failedResult({ code, message, next }: ToolcribError): CompletedResult {
  return { kind: 'completed', content: [], error: { code, message, next } };
}

/** A client that did not declare what a call needs of it made a wrong request (MCP 2026-07-28, -32021). */
function refuseIncapable({ error }: CompletedResult): void {
  if (error?.code !== 'capability_missing' || error.details?.['requiredCapabilities'] === undefined) return;
  throw new ToolcribError(error.code, error.message, { details: error.details });
}
