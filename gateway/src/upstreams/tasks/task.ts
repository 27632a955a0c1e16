import { isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { TASKS_EXTENSION } from '../../operations/mcp-tasks.ts';
import { printable } from '../../operations/text/printable.ts';
import { malformedAnswer } from '../session/session-error.ts';
import type { SessionFacts } from '../session/session-facts.ts';
import type { UpstreamListing } from '../upstreams.ts';

/** Work that a server goes on with after it has answered `tools/call`, as it stands. */
export interface Task {
  readonly id: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  /** What is being done, or why it ended; foreign text, printable. */
  readonly message?: string;
  /** Milliseconds after which the server wants to be asked again. */
  readonly pollMs?: number;
  /** Since 2026-07-28: the open questions, the result and the error stand in the task. */
  readonly inputRequests?: Json;
  readonly result?: Json;
  readonly error?: Json;
}

/** Whether the server makes tasks of calls: since 2026-07-28 of any that it chooses, before of those that ask for it. */
export function makesTasks({ era, capabilities }: Pick<SessionFacts, 'era' | 'capabilities'>): boolean {
  if (era === 'modern') return isObject(member(capabilities, 'extensions', TASKS_EXTENSION));
  return isObject(member(capabilities, 'tasks', 'requests', 'tools', 'call'));
}

/** Whether a request may be answered with a task, or is about one: what the extension is declared for. */
export function canBeTask(method: string): boolean {
  return method === 'tools/call' || isAboutTask(method);
}

export function isAboutTask(method: string): boolean {
  return method.startsWith('tasks/');
}

export interface CreatedTask {
  readonly task: Task;
  /** Result and questions will stand in the task (2026-07-28); before, `tasks/result` brings them. */
  readonly inTask: boolean;
}

/**
 * The task of an answer to `tools/call`, and undefined where it is an answer already. Throws `malformed`.
 * @param asked whether the call asked to become one, as before 2026-07-28
 */
export function createdTask(result: JsonObject, asked: boolean): CreatedTask | undefined {
  if (result['resultType'] === 'task') return { task: taskOf(result), inTask: true };
  const { task } = result;
  return asked && isObject(task) ? { task: taskOf(task), inTask: false } : undefined;
}

/** The id alone, of an answer that nobody reads otherwise. */
export function createdTaskId(result: JsonObject): string | undefined {
  const taskId = result['resultType'] === 'task' ? result['taskId'] : member(result, 'task', 'taskId');
  return typeof taskId === 'string' && result['content'] === undefined ? taskId : undefined;
}

/** The tools of a listing that are carried out as tasks, and in no other way; undefined where no tool can be. */
export function toolsAsTasks(listing: UpstreamListing): ReadonlySet<string> | undefined {
  if (listing.era === 'modern' || !makesTasks(listing)) return undefined;
  const required = listing.tools.filter(({ execution }) => execution?.['taskSupport'] === 'required');
  return new Set(required.map(({ name }) => name));
}

/** The task that a question of a server of 2025-11-25 belongs to. */
export function relatedTask(params: unknown): string | undefined {
  const taskId = member(
    params as Json | undefined,
    '_meta',
    'io.modelcontextprotocol/related-task',
    'taskId',
  );
  return typeof taskId === 'string' ? taskId : undefined;
}

const STATUSES: ReadonlySet<Json> = new Set([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);
const MAX_MESSAGE = 1_000;

/** Throws `malformed`. */
export function taskOf(value: JsonObject): Task {
  const { taskId, status = null, statusMessage, inputRequests, result, error } = value;
  const pollMs = value['pollIntervalMs'] ?? value['pollInterval'];
  if (typeof taskId !== 'string' || taskId === '') throw malformedAnswer('its task has no id');
  if (!STATUSES.has(status)) throw malformedAnswer('its task has no status that MCP knows');
  return {
    id: taskId,
    status: status as Task['status'],
    ...(typeof statusMessage === 'string' && statusMessage !== ''
      ? { message: printable(statusMessage, MAX_MESSAGE) }
      : {}),
    ...(typeof pollMs === 'number' ? { pollMs } : {}),
    ...(inputRequests === undefined ? {} : { inputRequests }),
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}

function member(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let node = value;
  for (const name of path) node = isObject(node) ? node[name] : undefined;
  return node;
}
