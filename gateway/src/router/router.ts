import type { Catalog } from '../catalog/catalog.ts';
import { ToolcribError } from '../errors.ts';
import type { CallRequest } from '../gateway-types.ts';
import { type Call, DEFAULT_LIMITS, LOCAL_PRINCIPAL, type Result } from '../operations/index.ts';
import { createCallIds } from './call-ids.ts';
import { compose, type Layer, type Next } from './compose.ts';

export interface Router {
  call(request: CallRequest): Promise<Result>;
}

/** Names the tool's operation, opens the call, and sends it through the onion. */
export function createRouter(catalog: () => Catalog, layers: readonly Layer[], core: Next): Router {
  const onion = compose(layers, core);
  const nextId = createCallIds();
  return {
    async call(request) {
      return onion(openCall(request, catalog(), nextId()));
    },
  };
}

/** Throws `tool_unknown` or `tool_quarantined`: there is nothing to record a call against. */
function openCall(request: CallRequest, catalog: Catalog, id: string): Call {
  const entry = catalog.byTool(request.tool);
  if (entry === undefined)
    throw new ToolcribError('tool_unknown', `There is no tool named ${request.tool.slice(0, 128)}.`);
  if (entry.quarantined) {
    throw new ToolcribError(
      'tool_quarantined',
      `Tool ${entry.name} is quarantined: its definition changed since it was locked.`,
    );
  }
  const operation = entry.load();
  const connection = catalog.connection(entry.source);
  const timeoutMs = operation.limits?.timeoutMs ?? connection?.limits.timeoutMs ?? DEFAULT_LIMITS.timeoutMs;
  return {
    id,
    principal: request.principal ?? LOCAL_PRINCIPAL,
    tool: entry.name,
    operation,
    arguments: request.arguments ?? {},
    deadline: Date.now() + timeoutMs,
    signal: request.signal ?? new AbortController().signal,
    channel: request.channel ?? {},
    dryRun: request.dryRun ?? false,
    depth: request.depth ?? 0,
  };
}
