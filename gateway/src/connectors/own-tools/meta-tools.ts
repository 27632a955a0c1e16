import { ToolcribError } from '../../errors.ts';
import { isObject, type Json, type Operation } from '../../operations/index.ts';
import { answer, type OwnTool, textArgument } from './own-tool.ts';

/** Seven fields for every tool of this source that the caller may see. */
export const listDynamicTools: OwnTool = {
  list: 'before',
  async run({ call, catalog, room }) {
    const connections = new Map(room.connections().map((connection) => [connection.name, connection]));
    const tools = catalog.tools(call).flatMap(({ name, operation }) => {
      const { invocation } = operation;
      if (invocation.kind !== 'azure' || operation.source !== call.operation.source) return [];
      return [
        {
          tool: name,
          api: invocation.api,
          displayName: connections.get(invocation.connection)?.displayName ?? invocation.api,
          status: room.status(invocation.connection) ?? 'Unknown',
          operationId: invocation.operationId,
          method: invocation.method.toUpperCase(),
          summary: summaryOf(operation),
        },
      ];
    });
    return answer(tools as Json, { tools: tools as Json });
  },
};

/** Its title, else the first line of its description behind the name in brackets. */
function summaryOf({ title, description }: Operation): string {
  return title ?? (description.split('\n', 1)[0] ?? '').replace(/^\[[^\]]*\]\s*/, '');
}

/** Adds, changes and removes; clients know the first line. */
export const refreshTools: OwnTool = {
  list: 'itself',
  async run({ call, room, catalog, signal }) {
    const { source } = call.operation;
    const errors = await room.reload(signal);
    const registered = room
      .connections()
      .reduce((sum, connection) => sum + catalog.count(source, connection.name), 0);
    const skipped = catalog.skipped?.(source) ?? 0;
    const text =
      `Refresh complete. Registered: ${registered}, Skipped: ${skipped}, Errors: ${errors.length}\n` +
      errors.join('\n');
    return {
      kind: 'value',
      content: [{ type: 'text', text }],
      structured: { registered, skipped, errors: [...errors] },
    };
  },
  plan: ({ room }) => ({ method: 'GET', path: room.connectionPath() }),
};

/** What arguments of a connector's tool accept now. */
export const getParameterOptions: OwnTool = {
  async run({ call, connection, args, catalog, parameterOptions, signal }) {
    const name = textArgument(args, 'tool');
    if (name === undefined) throw invalid('tool is missing.', '/tool');
    const tools = catalog.tools(call);
    const isOwn = ({ source }: Operation) => source === call.operation.source;
    // operations are read when they are looked at
    const tool =
      tools.find((candidate) => candidate.name === name && isOwn(candidate.operation)) ??
      tools.find(({ operation }) => operation.id === name && isOwn(operation));
    if (tool === undefined || tool.operation.invocation.kind !== 'azure') {
      throw new ToolcribError(
        'tool_unknown',
        `There is no tool "${name.slice(0, 100)}" of a connector here.`,
        {
          next: '`list_dynamic_tools` shows the tools of connectors.',
        },
      );
    }
    const given = args['arguments'] ?? {};
    if (!isObject(given))
      throw invalid('arguments is an object: what the tool would be called with.', '/arguments');
    const argument = textArgument(args, 'parameter');
    const { parent } = args;
    const found = await parameterOptions({
      operation: tool.operation,
      arguments: given,
      connection,
      signal,
      ...(argument === undefined ? {} : { argument }),
      ...(parent === undefined || parent === null ? {} : { parent }),
    });
    return answer({ tool: tool.name, parameters: JSON.parse(JSON.stringify(found)) as Json });
  },
};

function invalid(message: string, pointer: string): ToolcribError {
  return new ToolcribError('arguments_invalid', message, { pointer });
}
