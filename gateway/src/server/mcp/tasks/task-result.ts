import type { Task } from '../../../call-tasks/index.ts';
import type { InputRequest, JsonObject } from '../../../operations/index.ts';
import { questionsOf } from '../page-questions.ts';

/** Between two looks at a task, milliseconds: longer for one that has been running for long. */
const POLL_MS = { least: 500, most: 5_000 };

/** Where the content of a task stands in `tasks/get`, by its status. */
const CONTENT = { input_required: 'inputRequests', completed: 'result', failed: 'error' } as const;

/** `CreateTaskResult`, without the fields that every result has. */
export function createTaskResult(task: Task, now: number): JsonObject {
  return { resultType: 'task', ...metadataOf(task, now) };
}

/** `GetTaskResult`: how it stands, with its open questions, its result or its error. */
export function detailedTask(task: Task, now: number): JsonObject {
  const { status, content = {} } = task;
  const member = CONTENT[status as keyof typeof CONTENT];
  const told =
    member === 'inputRequests'
      ? (questionsOf(content as unknown as Record<string, InputRequest>, 'modern') as unknown as JsonObject)
      : content;
  return { ...metadataOf(task, now), ...(member === undefined ? {} : { [member]: told }) };
}

function metadataOf({ id, status, message, createdAt, updatedAt, expiresAt }: Task, now: number): JsonObject {
  const age = Math.max(0, now - createdAt);
  return {
    taskId: id,
    status,
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: Math.max(1, expiresAt - createdAt),
    pollIntervalMs: Math.round(Math.min(Math.max(age / 10, POLL_MS.least), POLL_MS.most)),
  };
}
