import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { asToolcribError, ToolcribError } from '../errors.ts';
import type { CallRequest } from '../gateway-types.ts';
import {
  type Call,
  DEFAULT_LIMITS,
  type JsonObject,
  LOCAL_PRINCIPAL,
  type Operation,
  type Principal,
  type ResolvedCall,
  type Result,
} from '../operations/index.ts';
import { createCallIds } from './call-ids.ts';
import { compose, type Layer, type Next } from './compose.ts';

/** A tool that reaches several operations, and what it comes to for these arguments. */
export interface ReachingTool {
  readonly name: string;
  /** For a call that cannot be resolved: it is recorded and authorised as a call of this one. */
  readonly operation: Operation;
  /** Throws `arguments_invalid`. */
  resolve(args: JsonObject): Promise<ResolvedCall>;
}

export interface RouterOptions {
  readonly catalog: () => Catalog;
  /** Tools of a topology's own, as this principal sees them. */
  readonly reaching: (name: string, principal: Principal) => ReachingTool | undefined;
  readonly layers: readonly Layer[];
  readonly core: Next;
}

export interface Router {
  /** Throws `tool_unknown`, `tool_quarantined`: there is nothing to record a call against. */
  call(request: CallRequest): Promise<Result>;
  /** A call of an operation that was made for it, on its way through the same layers. */
  invoke(operation: Operation, request: CallRequest): Promise<Result>;
}

/** Names the tool's operation, opens the call, and sends it through the onion. */
export function createRouter({ catalog, reaching, layers, core }: RouterOptions): Router {
  const onion = compose(layers, core);
  const nextId = createCallIds();
  const open = (request: CallRequest, operation: Operation, tool: string): Call =>
    openCall(request, operation, tool, catalog(), nextId());
  return {
    async call(request) {
      const entry = catalog().byTool(request.tool);
      if (entry !== undefined && !entry.quarantined) return onion(open(request, entry.load(), entry.name));
      const tool = reaching(request.tool, request.principal ?? LOCAL_PRINCIPAL);
      if (tool === undefined) throw unknownTool(request.tool, entry);
      return callReaching(tool, request, onion, open);
    },
    invoke: async (operation, request) => onion({ ...open(request, operation, request.tool), made: true }),
  };
}

async function callReaching(
  tool: ReachingTool,
  request: CallRequest,
  onion: Next,
  open: (request: CallRequest, operation: Operation, tool: string) => Call,
): Promise<Result> {
  let resolved: ResolvedCall;
  try {
    resolved = await tool.resolve(request.arguments ?? {});
  } catch (error) {
    return onion({ ...open(request, tool.operation, tool.name), problem: asToolcribError(error) });
  }
  let args = resolved.arguments;
  const { before } = resolved;
  if (before !== undefined) {
    // A dry run reads nothing either: it shows the request without what would be kept.
    const read = request.dryRun
      ? undefined
      : await onion(open(readingFirst(request, before.arguments), before.operation, tool.name));
    if (read !== undefined && (read.kind !== 'completed' || read.error !== undefined)) return read;
    if (read !== undefined) args = before.complete(read);
  }
  const call = open({ ...request, arguments: args }, resolved.operation, tool.name);
  const result = await onion(call);
  if (result.kind !== 'completed' || call.dryRun || resolved.reshape === undefined) return result;
  return resolved.reshape(result);
}

/** Approvals and answers that the caller brings are for the call itself, not for what is read before it. */
function readingFirst({ channel, ...request }: CallRequest, args: JsonObject): CallRequest {
  if (channel === undefined) return { ...request, arguments: args };
  const { approval: _approval, requestState: _state, inputResponses: _responses, ...rest } = channel;
  return { ...request, arguments: args, channel: rest };
}

function unknownTool(name: string, entry: CatalogEntry | undefined): ToolcribError {
  return entry === undefined
    ? new ToolcribError('tool_unknown', `There is no tool named ${name.slice(0, 128)}.`)
    : new ToolcribError(
        'tool_quarantined',
        `Tool ${entry.name} is quarantined: its definition changed since it was locked.`,
      );
}

function openCall(
  request: CallRequest,
  operation: Operation,
  tool: string,
  catalog: Catalog,
  id: string,
): Call {
  const connection = catalog.connection(operation.source);
  const timeoutMs = operation.limits?.timeoutMs ?? connection?.limits.timeoutMs ?? DEFAULT_LIMITS.timeoutMs;
  return {
    id,
    principal: request.principal ?? LOCAL_PRINCIPAL,
    tool,
    operation,
    arguments: request.arguments ?? {},
    deadline: Date.now() + timeoutMs,
    signal: request.signal ?? new AbortController().signal,
    channel: request.channel ?? {},
    dryRun: request.dryRun ?? false,
    depth: request.depth ?? 0,
    ...(request.run === undefined ? {} : { run: request.run }),
    ...(request.traceparent === undefined ? {} : { traceparent: request.traceparent }),
  };
}
