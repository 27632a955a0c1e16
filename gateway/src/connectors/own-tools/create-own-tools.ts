import { ToolcribError } from '../../errors.ts';
import { isAdmin } from '../../executors/azure/consent.ts';
import type { FindParameterOptions } from '../../executors/azure/parameter-options.ts';
import type { Executor, RawResult } from '../../executors/executor.ts';
import type { ArmTool, Principal } from '../../operations/index.ts';
import { deleteConnection, getConnection, getConsentLink, listConnections } from './connections.ts';
import { listManagedApis } from './list-managed-apis.ts';
import { getParameterOptions, listDynamicTools, refreshTools } from './meta-tools.ts';
import type { ConnectorCatalog, FindAzureRoom, OwnCall, OwnTool } from './own-tool.ts';
import { putConnection } from './put-connection.ts';

export interface OwnToolsOptions {
  readonly room: FindAzureRoom;
  readonly catalog: ConnectorCatalog;
  readonly parameterOptions: FindParameterOptions;
  /** Who may change connections and sign them in. Default: everybody but users without the role of an admin. */
  readonly mayManage?: (principal: Principal) => boolean | Promise<boolean>;
}

const TOOLS: Readonly<Record<ArmTool, OwnTool>> = {
  list_managed_apis: listManagedApis,
  list_connections: listConnections,
  get_connection: getConnection,
  put_connection: putConnection,
  delete_connection: deleteConnection,
  get_consent_link: getConsentLink,
  get_parameter_options: getParameterOptions,
  list_dynamic_tools: listDynamicTools,
  refresh_tools: refreshTools,
};

/** Carries out the tools that a source of kind `azure` has beside those of its connections. */
export function createOwnTools(options: OwnToolsOptions): Executor {
  const { room: find, catalog, parameterOptions, mayManage = isAdmin } = options;
  return {
    async execute(call, { connection, signal }) {
      const { invocation } = call.operation;
      if (invocation.kind !== 'arm') {
        throw new ToolcribError(
          'internal',
          `Operation ${call.operation.id} is no tool of Azure's connections.`,
        );
      }
      const tool = TOOLS[invocation.tool];
      const room = await find(connection);
      if (tool.forAdmins && !(await mayManage(call.principal))) {
        throw new ToolcribError(
          'admin_needed',
          `Only an admin may use ${invocation.tool}: connections are everybody's.`,
        );
      }
      const own: OwnCall = {
        call,
        connection,
        args: call.arguments,
        room,
        catalog,
        parameterOptions,
        signal,
      };
      if (call.dryRun) return planned(tool, own);
      // beside the others: an answer of Azure to them tells more than the list does
      if (tool.list === undefined) void room.retry(signal).catch(() => undefined);
      if (tool.list !== 'before') return tool.run(own);
      await room.retry(signal);
      return withProblem(await tool.run(own), own);
    },
  };
}

/** Nothing is sent, no token asked for. */
function planned(tool: OwnTool, own: OwnCall): RawResult {
  const request = tool.plan?.(own);
  if (request === undefined) {
    const text = JSON.stringify({ tool: own.call.operation.id, arguments: own.args });
    return { kind: 'value', content: [{ type: 'text', text }] };
  }
  const { method, body } = request;
  return {
    kind: 'request',
    request: {
      method,
      url: own.room.url(request),
      headers: body === undefined ? [] : [['Content-Type', 'application/json']],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  };
}

function withProblem(result: RawResult, { room }: OwnCall): RawResult {
  const problem = room.problem();
  if (problem === undefined || result.kind !== 'value') return result;
  const text = `Note: ${problem.message} ${problem.next}`;
  return { ...result, content: [...(result.content ?? []), { type: 'text', text }] };
}
