import { asToolcribError, ToolcribError } from '../errors.ts';
import type { ChatApprovalAsked, ChatEvent, ChatRequest, ChatToolCall } from '../operations/chat.ts';
import {
  type ApprovalCard,
  type CallChannel,
  type CompletedResult,
  isObject,
  type JsonObject,
} from '../operations/index.ts';
import { roundedNumber, roundedWords } from '../operations/text/rounded-number.ts';
import type { ChatOptions } from './options.ts';
import { approvalOf, failedResult, toolAnswer } from './tool-answer.ts';
import type { OfferedTool, ToolTable } from './tool-table.ts';

/** One conversation, as its calls need it. */
export interface Carrying {
  readonly options: Pick<ChatOptions, 'call' | 'approvalLink'>;
  readonly request: ChatRequest;
  readonly table: ToolTable;
  readonly skill: string | undefined;
  readonly session: string;
  readonly signal: AbortSignal;
  readonly emit: (event: ChatEvent) => void;
}

/** Codes that say of a skill's tool that it is not to be counted on for now. */
const DEGRADED: ReadonlySet<string> = new Set(['dynamic_tool_failed_after_retries', 'dynamic_tool_degraded']);

/**
 * One call of the model through the gateway's router; resolves to what the model reads about it. Static tools are
 * looked for first. A failure is an answer like any other: the conversation goes on.
 */
export async function carryOut(call: ChatToolCall, at: Carrying): Promise<string> {
  const tool = at.table.find(call.name);
  const dynamic = tool?.dynamic === true;
  const args = parsedArguments(call.arguments);
  const name = tool?.name ?? call.name;
  const began = performance.now();
  at.emit({ type: 'tool.call', id: call.id, name, arguments: args ?? call.arguments, dynamic });
  const result = await resultOf(call, tool, args, at);
  const { error } = result;
  at.emit({
    type: 'tool.result',
    id: call.id,
    name,
    dynamic,
    status: error === undefined ? 'ok' : 'failed',
    latency_ms: Math.round(performance.now() - began),
    ...(error === undefined ? {} : { error_code: error.code, message: error.message }),
    ...(error !== undefined && DEGRADED.has(error.code) ? { degraded: true } : {}),
  });
  return toolAnswer(call.name, result);
}

/** No text at all means no arguments; undefined: it is no JSON object. */
function parsedArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function resultOf(
  call: ChatToolCall,
  tool: OfferedTool | undefined,
  args: JsonObject | undefined,
  at: Carrying,
): Promise<CompletedResult> {
  if (tool === undefined) return unknownTool(call.name, at.table);
  if (args === undefined) {
    return failedResult(
      'arguments_invalid',
      `The arguments of ${call.name} are not a JSON object.`,
      'Call again with one JSON object that fits the tool.',
    );
  }
  const rounded = roundedNumber(call.arguments);
  if (rounded !== undefined) {
    return failedResult(
      'arguments_invalid',
      roundedWords(rounded),
      'Call again with that number as text, where the tool takes text.',
    );
  }
  const interactive = at.request.approval !== undefined;
  const first = await called(tool, args, { waitMs: 0 }, at);
  const asked = approvalOf(first);
  if (asked === undefined) return first;
  const event = await approvalEvent(asked, call, tool, at);
  at.emit(event);
  if (interactive) {
    const decision = await at.request.approval?.(event);
    return decision === 'decided' ? called(tool, args, { waitMs: 0, approval: asked.id }, at) : first;
  }
  const waitMs = at.request.approvalWaitMs;
  if (waitMs === 0) return first;
  return called(tool, args, { approval: asked.id, ...(waitMs === undefined ? {} : { waitMs }) }, at);
}

/** Through the router; whatever it throws is the call's own failure. */
async function called(
  tool: OfferedTool,
  args: JsonObject,
  channel: CallChannel,
  { options, request, skill, session, signal }: Carrying,
): Promise<CompletedResult> {
  try {
    const result = await options.call({
      tool: tool.name,
      arguments: args,
      principal: request.principal,
      ...(skill === undefined ? {} : { skill }),
      run: session,
      signal,
      depth: request.depth ?? 0,
      channel,
    });
    if (result.kind === 'completed') return result;
    throw new ToolcribError(
      'capability_missing',
      `Tool ${tool.name} asks its client questions, which a chat cannot answer.`,
    );
  } catch (thrown) {
    const { code, message, next } = asToolcribError(thrown);
    return failedResult(code, message, next);
  }
}

function unknownTool(name: string, table: ToolTable): CompletedResult {
  const shown = JSON.stringify(name.slice(0, 100));
  const nearest = table.nearest(name);
  return failedResult(
    'tool_unknown',
    `There is no tool ${shown}.${nearest.length === 0 ? '' : ` Close to it: ${nearest.join(', ')}.`}`,
    'Call one of the tools that are offered, by its exact name.',
  );
}

async function approvalEvent(
  { id, details }: NonNullable<ReturnType<typeof approvalOf>>,
  call: ChatToolCall,
  tool: OfferedTool,
  { options, request }: Carrying,
): Promise<ChatApprovalAsked> {
  // where no link can be made there are other ways to decide
  const link = await options.approvalLink?.(id, request.principal).catch(() => undefined);
  return {
    type: 'approval.required',
    id,
    call: call.id,
    tool: tool.name,
    ...(isObject(details['card']) ? { card: details['card'] as unknown as ApprovalCard } : {}),
    ...(typeof details['expiresAt'] === 'string' ? { expires_at: details['expiresAt'] } : {}),
    ...(link === undefined ? {} : { link }),
  };
}
