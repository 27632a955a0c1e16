import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import type { GatewayCore } from '../../../gateway-core.ts';
import { isObject, type JsonObject, type Principal } from '../../../operations/index.ts';
import { TASKS_EXTENSION } from '../../../operations/mcp-tasks.ts';
import { belongsTo } from '../call-meta.ts';
import { parameterSchema } from '../parameter-schema.ts';
import { answering } from '../protocol-errors.ts';
import { detailedTask } from './task-result.ts';
import { extensionMissing, followsTasks, taskOwner } from './task-way.ts';

/** What a server says that it can. */
export const TASKS_CAPABILITY = { [TASKS_EXTENSION]: {} } as const;

/**
 * Serves `tasks/get`, `tasks/update` and `tasks/cancel` on one server of 2026-07-28, before it is connected.
 * @param ownRun what is fetched belongs to, unless the client says more
 */
export function handleTasks(
  server: Server,
  tasks: NonNullable<GatewayCore['tasks']>,
  principal: Principal,
  ownRun: string | undefined,
): void {
  const owner = taskOwner(principal);
  server.setRequestHandler('tasks/get', { params: PARAMETERS }, ({ taskId }, context) =>
    answering(async () => {
      requireExtension(context);
      const task = await (await tasks.open()).get(taskId, owner);
      if (task.source !== undefined) {
        const { run } = belongsTo(context, ownRun);
        await tasks.delivered?.(task.source, { principal, ...(run === undefined ? {} : { run }) });
      }
      return detailedTask(task, Date.now());
    }),
  );
  server.setRequestHandler('tasks/update', { params: PARAMETERS }, ({ taskId }, context) =>
    answering(async () => {
      requireExtension(context);
      // the SDK takes them out of the parameters, and leaves out what cannot be an answer
      const { inputResponses = {} } = context.mcpReq;
      await (await tasks.open()).answer(taskId, owner, inputResponses as JsonObject);
      return {};
    }),
  );
  server.setRequestHandler('tasks/cancel', { params: PARAMETERS }, ({ taskId }, context) =>
    answering(async () => {
      requireExtension(context);
      await (await tasks.open()).cancel(taskId, owner);
      return {};
    }),
  );
}

function requireExtension({ mcpReq }: ServerContext): void {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  if (!followsTasks(envelope?.[CLIENT_CAPABILITIES_META_KEY])) throw extensionMissing();
}

const PARAMETERS = parameterSchema((value) => {
  const { taskId } = isObject(value) ? value : {};
  return typeof taskId === 'string'
    ? { value: { taskId } }
    : { issues: [{ message: 'taskId must be a text', path: ['taskId'] }] };
});
