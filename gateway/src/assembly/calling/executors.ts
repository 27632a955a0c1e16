import { entryOfOperation } from '../../catalog/entry-of-operation.ts';
import type { LiveCatalog } from '../../catalog/live-catalog.ts';
import type { Configuration } from '../../config/configuration.ts';
import { createCredentialProvider } from '../../credentials/index.ts';
import { createSecretReader } from '../../credentials/secret-reference.ts';
import type { Egress } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';
import type { Executor } from '../../executors/executor.ts';
import { createFunctionExecutor } from '../../executors/function/function-executor.ts';
import { createHttpExecutor } from '../../executors/http/index.ts';
import type { WebExecutor, WebExecutorOptions } from '../../executors/web/web-executor.ts';
import { traceOf } from '../../operations/index.ts';
import type { Executors } from '../../router/layers/execute.ts';
import { admitRequest } from '../../router/operation-rate.ts';
import type { RateLimiter } from '../../router/rate-limit.ts';
import type { Router } from '../../router/router.ts';
import type { FunctionRegistry } from '../../sources/function/registry.ts';
import type { Redactor } from '../../telemetry/redactor.ts';
import type { ConnectorRooms } from '../connectors/connector-rooms.ts';
import { lazily } from '../lazily.ts';
import { createPathGuard } from './path-guard.ts';

export interface ExecutorParts {
  readonly configuration: () => Configuration;
  readonly catalog: LiveCatalog;
  readonly egress: Egress;
  readonly functions: FunctionRegistry;
  readonly rates: RateLimiter;
  readonly redactor: Redactor;
  /** Tools of upstream MCP servers. */
  readonly upstreams: Executor;
  /** Operations and own tools of Azure's connectors. */
  readonly connectors: ConnectorExecutors;
  /** Tools that skills brought. */
  readonly skills: Executor;
  /** For what one call asks of another tool: it goes the same way as any. */
  readonly router: () => Router;
}

export type ConnectorExecutors = Pick<ConnectorRooms, 'executor' | 'ownTools' | 'advise'>;

export interface GatewayExecutors extends Executors {
  /** Ends what the executors keep open. */
  close(): Promise<void>;
}

/** One executor for each kind of invocation. */
export function createExecutors(parts: ExecutorParts): GatewayExecutors {
  const { catalog, egress, redactor, rates } = parts;
  const web = lazyWebExecutor(parts);
  return {
    http: createHttpExecutor({
      egress,
      credentials: createCredentialProvider({ egress, redactor }),
      guard: createPathGuard(() => catalog.current),
      admit: (connection, signal, deadline, operation) =>
        admitRequest(rates, connection, operation, signal, deadline),
    }),
    function: createFunctionExecutor(parts.functions),
    mcp: parts.upstreams,
    web,
    azure: parts.connectors.executor,
    arm: parts.connectors.ownTools,
    script: parts.skills,
    template: parts.skills,
    close: web.close,
  };
}

/** Loaded with the first question to a web provider. */
function lazyWebExecutor(parts: ExecutorParts): WebExecutor {
  const { configuration, egress, redactor } = parts;
  const open = lazily(async () => {
    const { createWebExecutor } = await import('../../executors/web/web-executor.ts');
    return createWebExecutor({
      settings: (source) => configuration().sources[source]?.settings,
      egress,
      secrets: createSecretReader(process.env, (secret) => redactor.add(secret)),
      mcp: callUpstreamTool(parts),
      proxy: () => configuration().egress.proxy,
    });
  });
  return {
    execute: async (call, context) => (await open()).execute(call, context),
    close: async () => (await open.made?.catch(() => undefined))?.close(),
  };
}

/** A provider that is a tool of a configured server: a call of its own, by the same caller, through every check. */
function callUpstreamTool({ catalog, router }: ExecutorParts): NonNullable<WebExecutorOptions['mcp']> {
  return async (server, tool, args, { call, signal }) => {
    const entry = entryOfOperation(catalog.current, server, tool);
    if (entry === undefined) {
      throw new ToolcribError('tool_unknown', `Server ${server} offers no tool ${tool}.`);
    }
    const result = await router().call({
      tool: entry.name,
      arguments: args,
      principal: call.principal,
      signal,
      depth: call.depth + 1,
      ...(call.run === undefined ? {} : { run: call.run }),
      ...traceOf(call),
    });
    if (result.kind === 'input_required') {
      throw new ToolcribError('capability_missing', `Tool ${entry.name} asks questions; a provider cannot.`);
    }
    const { error, structured, content } = result;
    if (error !== undefined && error.code !== 'tool_failed') {
      throw new ToolcribError(error.code, error.message);
    }
    return {
      content,
      isError: error !== undefined,
      ...(structured === undefined ? {} : { structuredContent: structured }),
    };
  };
}
