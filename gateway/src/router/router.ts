import type { Catalog, CatalogEntry } from '../catalog/catalog.ts';
import { asToolcribError, ToolcribError } from '../errors.ts';
import type { CallRequest } from '../gateway-core.ts';
import {
  type Call,
  type CompletedResult,
  DEFAULT_LIMITS,
  type JsonObject,
  LOCAL_PRINCIPAL,
  type Operation,
  type Principal,
  type ResolvedCall,
  type Result,
  type ShapedCall,
  traceOf,
} from '../operations/index.ts';
import { createCallIds } from './call-ids.ts';
import { compose, type Layer, type NamedLayer, type Next } from './compose.ts';
import { operationNow } from './operation-now.ts';

/** A tool that reaches several operations, and what it comes to for these arguments. */
export interface ReachingTool {
  readonly name: string;
  /** For a call that cannot be resolved: it is recorded and authorised as a call of this one. */
  readonly operation: Operation;
  /** The operation is the gateway's own: what comes to no other is recorded, and asks for no account. */
  readonly isOwn?: true;
  /** Throws `arguments_invalid`, `operation_unknown`. */
  resolve(args: JsonObject, signal: AbortSignal): Promise<ResolvedCall | CompletedResult>;
  /** What to tell beside an error of the arguments: those that this operation takes. */
  explain?(operation: Operation): string | undefined;
}

/** What becomes of a direct call's answer, and its arguments without those that ask for it. */
export type ShapeDirect = (
  entry: CatalogEntry,
  request: CallRequest,
) => { readonly arguments: JsonObject; readonly shaped: ShapedCall } | undefined;

export interface RouterOptions {
  readonly catalog: () => Catalog;
  /** A tool of a topology's own, as this caller sees it now; a promise where there may be one. */
  readonly reaching: (
    request: CallRequest,
    principal: Principal,
  ) => Promise<ReachingTool | undefined> | undefined;
  /** Absent: answers of direct tools stay as they are. */
  readonly shapeDirect?: ShapeDirect;
  /** Why this caller cannot call a tool by its name, although it may exist for others. */
  readonly unreachable?: (entry: CatalogEntry, request: CallRequest) => ToolcribError | undefined;
  readonly layers: ReadonlyArray<Layer | NamedLayer>;
  /** Around what the gateway answers itself. */
  readonly ownLayers?: ReadonlyArray<Layer | NamedLayer>;
  readonly core: Next;
}

export interface Router {
  /** Throws `tool_unknown`, `tool_quarantined`: there is nothing to record a call against. */
  call(request: CallRequest): Promise<Result>;
  /** A call of an operation that was made for it, on its way through the same layers. */
  invoke(operation: Operation, request: CallRequest): Promise<Result>;
}

/** Names the tool's operation, opens the call, and sends it through the onion. */
export function createRouter(options: RouterOptions): Router {
  const { catalog, reaching, shapeDirect, unreachable, layers, ownLayers = [], core } = options;
  const onion = compose(layers, core, 'execute');
  const nextId = createCallIds();
  const open = (request: CallRequest, operation: Operation, tool: string): Call =>
    openCall(request, operation, tool, catalog(), nextId());
  const direct = (request: CallRequest, entry: CatalogEntry): Promise<Result> => {
    const problem = unreachable?.(entry, request);
    if (problem !== undefined) return onion({ ...open(request, entry.load(), entry.name), problem });
    let shape: ReturnType<ShapeDirect>;
    try {
      shape = shapeDirect?.(entry, request);
    } catch (error) {
      return onion({ ...open(request, entry.load(), entry.name), problem: asToolcribError(error) });
    }
    if (shape === undefined) return onion(open(request, entry.load(), entry.name));
    const { shaped, arguments: args } = shape;
    return onion({ ...open({ ...request, arguments: args }, entry.load(), entry.name), shaped });
  };
  /** Recorded like every call, and carried out by nobody else. */
  const own = (call: Call, answer: Next): Promise<Result> => compose(ownLayers, answer, 'answer')(call);
  return {
    async call(request) {
      const began = catalog();
      const found = reaching(request, request.principal ?? LOCAL_PRINCIPAL);
      const tool = found && (await found);
      if (tool !== undefined)
        return callReaching(tool, request, {
          onion,
          own,
          open,
          current: (operation) =>
            catalog() === began ? operation : operationNow({ operation, tool: tool.name }, catalog()),
        });
      const entry = catalog().byTool(request.tool);
      if (entry === undefined || entry.quarantined) throw unknownTool(request.tool, entry);
      return direct(request, entry);
    },
    invoke: async (operation, request) => onion({ ...open(request, operation, request.tool), made: true }),
  };
}

interface Ways {
  readonly onion: Next;
  readonly own: (call: Call, answer: Next) => Promise<Result>;
  readonly open: (request: CallRequest, operation: Operation, tool: string) => Call;
  /** As the catalog that the call is opened with has it. Throws `tool_unknown`, `tool_quarantined`. */
  readonly current: (operation: Operation) => Operation;
}

async function callReaching(tool: ReachingTool, request: CallRequest, ways: Ways): Promise<Result> {
  const { onion, own, open, current } = ways;
  const asked = open(request, tool.operation, tool.name);
  let resolved: ResolvedCall | CompletedResult;
  try {
    resolved = await tool.resolve(asked.arguments, asked.signal);
  } catch (error) {
    const problem = asToolcribError(error);
    return tool.isOwn ? own(asked, () => Promise.reject(problem)) : onion({ ...asked, problem });
  }
  if ('content' in resolved) {
    const answer = resolved;
    return own(asked, async () => answer);
  }
  let args = resolved.arguments;
  const { before, shaped } = resolved;
  if (before !== undefined) {
    // A dry run reads nothing either: it shows the request without what would be kept.
    const read = request.dryRun
      ? undefined
      : await onion(open(readingFirst(request, before.arguments), current(before.operation), tool.name));
    if (read !== undefined && (read.kind !== 'completed' || read.error !== undefined)) return read;
    if (read !== undefined) args = before.complete(read);
  }
  const call = open({ ...request, arguments: args }, current(resolved.operation), tool.name);
  const result = await onion(shaped === undefined ? call : { ...call, shaped });
  if (result.kind !== 'completed' || call.dryRun) return result;
  if (result.error?.code === 'arguments_invalid')
    return explained(result, tool.explain?.(resolved.operation));
  return resolved.reshape === undefined ? result : resolved.reshape(result);
}

/** An error of the arguments with those that the operation takes. */
function explained(result: CompletedResult, text: string | undefined): CompletedResult {
  return text === undefined ? result : { ...result, content: [...result.content, { type: 'text', text }] };
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
    ...(connection === undefined ? {} : { base: connection }),
    dryRun: request.dryRun ?? false,
    depth: request.depth ?? 0,
    ...(request.run === undefined ? {} : { run: request.run }),
    ...traceOf(request),
  };
}
