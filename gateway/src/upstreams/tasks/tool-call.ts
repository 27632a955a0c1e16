import type { Json, JsonObject } from '../../operations/index.ts';
import { inputRequired } from '../answers.ts';
import type { CallEnd, CallRequests } from '../call-requests.ts';
import { ServerError } from '../session/session-error.ts';
import { followTask, pausedTask, resumeTask } from './follow-task.ts';
import { type CreatedTask, createdTask } from './task.ts';

/** How the server's listing says that a tool is called. */
export interface ToolTerms {
  readonly headers?: Readonly<Record<string, string>>;
  /** 2025-11-25: it is carried out as a task, and in no other way (`execution.taskSupport: "required"`). */
  readonly asTask: boolean;
}

export interface ToolListing {
  termsOf(tool: string): ToolTerms;
  /** Lists again where an error says that the definitions were stale; true where the tool is to be called once more. */
  renewed(code: number, tool: string): Promise<boolean>;
}

/** Milliseconds that a task of 2025-11-25 is kept beyond the deadline of its call. */
const KEPT_BEYOND_MS = 60_000;

/**
 * Calls a tool; where its server makes a task of the call, waits for the task. Servers ask a task's questions while it
 * runs: the answers come with another call, which goes on with the task instead of beginning again.
 */
export async function callTool(
  params: { readonly name: string; readonly arguments: JsonObject },
  listing: ToolListing,
  channel: { readonly requestState?: Json; readonly inputResponses?: JsonObject },
  call: CallRequests,
): Promise<CallEnd> {
  const paused = pausedTask(channel.requestState);
  if (paused !== undefined) {
    call.becomesTask();
    return await held(call, () => resumeTask(paused, channel.inputResponses ?? {}, call));
  }
  const begin = async (): Promise<CallEnd | ({ readonly kind: 'task' } & CreatedTask)> => {
    const { headers, asTask } = listing.termsOf(params.name);
    const ttl = Math.max(call.deadline - Date.now(), 0) + KEPT_BEYOND_MS;
    const asked = asTask ? { ...params, task: { ttl } } : params;
    const own = { keepsProgress: asTask, ...(headers === undefined ? {} : { headers }) };
    const result = await call.send('tools/call', asked, own);
    const created = createdTask(result, asTask);
    if (created !== undefined) return { kind: 'task', ...created };
    return inputRequired(result) ?? { kind: 'result', result };
  };
  const begun = await begin().catch(async (error) => {
    if (!(error instanceof ServerError) || !(await listing.renewed(error.code, params.name))) throw error;
    return await begin();
  });
  if (begun.kind !== 'task') return begun;
  call.becomesTask(begun.task.message);
  return await held(call, () => followTask(begun.task, begun.inTask, call));
}

async function held<T>(call: CallRequests, run: () => Promise<T>): Promise<T> {
  const free = call.hold();
  try {
    return await run();
  } finally {
    free();
  }
}
