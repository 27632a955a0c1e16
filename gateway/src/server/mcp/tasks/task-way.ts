import { ToolcribError } from '../../../errors.ts';
import type { GatewayCore } from '../../../gateway-core.ts';
import { isObject, type Principal } from '../../../operations/index.ts';
import { TASKS_EXTENSION } from '../../../operations/mcp-tasks.ts';
import type { TaskWay } from '../../held/open-call.ts';

/** For a client that follows tasks; undefined where calls do not become any. */
export function taskWay(
  { tasks }: Pick<GatewayCore, 'tasks'>,
  principal: Principal,
  words: Pick<TaskWay, 'endOf' | 'failedWith'>,
): TaskWay | undefined {
  const policy = tasks?.policy();
  if (tasks === undefined || policy === undefined) return undefined;
  return {
    afterMs: policy.afterMs,
    create: async (work, message) => (await tasks.open()).create(taskOwner(principal), work, message),
    ...words,
  };
}

/** Whether a client declared the extension in this request: what it declared in others does not count. */
export function followsTasks(capabilities: unknown): boolean {
  if (!isObject(capabilities) || !isObject(capabilities['extensions'])) return false;
  return isObject(capabilities['extensions'][TASKS_EXTENSION]);
}

/** The error of a request that needs a client of the extension. */
export function extensionMissing(): ToolcribError {
  return new ToolcribError('capability_missing', 'Only clients that declare the extension follow tasks.', {
    details: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  });
}

/** Equal for the same caller alone; another key of the same user may allow less. */
export function taskOwner({ kind, organisation, id, key }: Principal): string {
  return JSON.stringify([kind, organisation ?? null, id, key ?? null]);
}
