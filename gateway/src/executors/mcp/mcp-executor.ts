import { ToolcribError } from '../../errors.ts';
import { type Call, type Json, personKey, traceOf } from '../../operations/index.ts';
import { withoutInterface } from '../../operations/mcp-apps.ts';
import { withoutOwnMeta } from '../../operations/own-meta.ts';
import type { UpstreamAnswer, Upstreams } from '../../upstreams/upstreams.ts';
import type { ExecuteContext, Executor, RawResult } from '../executor.ts';
import { linkedAddresses } from './linked-addresses.ts';
import { passedMeta } from './passed-meta.ts';
import { markedQuestion, upstreamChannel } from './rounds.ts';

export interface McpExecutorOptions {
  readonly upstreams: Pick<Upstreams, 'call' | 'ready'>;
  /** Told which addresses an answer refers to, so that they can be read through us. */
  readonly linked: (source: string, uris: readonly string[], principal: string) => void;
}

/** Carries a call out as `tools/call` of the upstream server that the operation's source names. */
export function createMcpExecutor({ upstreams, linked }: McpExecutorOptions): Executor {
  return {
    ready: ({ operation, principal }, { signal }) =>
      upstreams.ready(operation.source, { principal: personKey(principal), signal }),
    async execute(call, context) {
      const { tool, wrapsResult } = invocationOf(call);
      if (call.dryRun) return plannedMessage(tool, call);
      const { operation, principal } = call;
      const answer = await upstreams.call(operation.source, tool, call.arguments, requestOf(call, context));
      if (answer.kind === 'input_required') return markedQuestion(answer, operation.source);
      const content = answer.content.map(withoutInterface);
      const uris = linkedAddresses(content);
      if (uris.length > 0) linked(operation.source, uris, personKey(principal));
      return rawResult({ ...answer, content }, wrapsResult === true);
    },
  };
}

function invocationOf({ operation: { invocation, id } }: Call) {
  if (invocation.kind === 'mcp') return invocation;
  throw new ToolcribError('internal', `Operation ${id} is no tool of an MCP server.`);
}

function requestOf(call: Call, { signal, deadline }: ExecuteContext) {
  const { access, safety } = call.operation;
  return {
    principal: personKey(call.principal),
    signal,
    deadline,
    channel: upstreamChannel(call.channel, call.operation.source),
    repeatable: access === 'read' || safety.idempotent,
    ...traceOf(call),
  };
}

function rawResult(answer: UpstreamAnswer, wraps: boolean): RawResult {
  const { content, structured, failed, meta } = answer;
  const given = structured === undefined ? undefined : underResult(structured, wraps && !failed);
  return {
    kind: 'value',
    content: content.map(withoutOwnMeta),
    failed,
    ...(given === undefined ? {} : { structured: given }),
    ...(meta === undefined ? {} : { meta: passedMeta(meta) }),
    ...notAsked(answer),
  };
}

/** Why a tool failed that asked, also in words: models read nothing else. One that did its work has not failed. */
function notAsked({ unasked, failed }: UpstreamAnswer): Pick<RawValue, 'error' | 'warnings'> {
  if (unasked === undefined) return {};
  const { code, message, next } = unasked;
  const told = `${code}: ${message}`;
  return failed ? { error: { code, message, next }, warnings: [`${told} ${next}`] } : { warnings: [told] };
}

type RawValue = Extract<RawResult, { kind: 'value' }>;

function underResult(structured: Json, wraps: boolean): Json {
  return wraps ? { result: structured } : structured;
}

/** What would be sent, and nothing is. */
function plannedMessage(tool: string, { operation, arguments: args }: Call): RawResult {
  const message = { jsonrpc: '2.0', method: 'tools/call', params: { name: tool, arguments: args } };
  const text = JSON.stringify({ upstream: operation.source, message }, null, 2);
  return { kind: 'value', content: [{ type: 'text', text: `Dry run, nothing was sent:\n${text}` }] };
}
