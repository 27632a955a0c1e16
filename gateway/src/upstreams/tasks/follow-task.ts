import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isToolcribError } from '../../errors.ts';
import { type InputRequiredResult, isObject, type Json, type JsonObject } from '../../operations/index.ts';
import { messageOf } from '../../operations/text/message-of.ts';
import { printable } from '../../operations/text/printable.ts';
import { inputRequired } from '../answers.ts';
import type { CallEnd, CallRequests } from '../call-requests.ts';
import {
  abortedCall,
  lateCall,
  malformedAnswer,
  ServerError,
  SessionError,
  serverError,
} from '../session/session-error.ts';
import { type Task, taskOf } from './task.ts';

/** A task that waits for its caller's answers; travels through the caller as the state of its questions. */
export interface PausedTask {
  readonly task: string;
  /** Keys of the questions that were put now, and of those that were answered before. */
  readonly asked: readonly string[];
  readonly answered: readonly string[];
}

/** Between two looks at a task, milliseconds: as the server says, within bounds. */
const POLL_MS = { default: 1_000, least: 100, most: 60_000 };
/** Looks in a row that the connection may fail: the task goes on meanwhile. */
const MOST_LOST = 5;
const MAX_SAID = 300;

/**
 * Waits for the end of a task and returns the result of its call, or the questions that its server has meanwhile.
 * Throws ServerError, and SessionError as for a call whose answer was lost: whatever goes wrong here comes after the
 * server took the call on. A caller who goes away, and a deadline that passes, cancel the task.
 * @param inTask since 2026-07-28 result and questions stand in the task; before, `tasks/result` brings both
 */
export function followTask(task: Task, inTask: boolean, call: CallRequests): Promise<CallEnd> {
  return endingWell(task.id, call, async () => {
    if (!inTask) return { kind: 'result', result: await byResult(task, call) };
    return await byStatus(task.status === 'working' ? task : await look(task.id, call), call, []);
  });
}

/** Hands a caller's answers to the task that asked, and goes on with it. Throws as `followTask` does. */
export function resumeTask(
  { task: id, asked, answered }: PausedTask,
  responses: JsonObject,
  call: CallRequests,
): Promise<CallEnd> {
  return endingWell(id, call, async () => {
    const answers = Object.entries(responses).filter(([key]) => asked.includes(key));
    const inputResponses = Object.fromEntries(answers);
    if (answers.length > 0) await untilHeard(call, 'tasks/update', { taskId: id, inputResponses });
    return await byStatus(await look(id, call), call, [...answered, ...answers.map(([key]) => key)]);
  });
}

/** The paused task of a question's state; undefined where another asked. */
export function pausedTask(state: Json | undefined): PausedTask | undefined {
  if (!isObject(state)) return undefined;
  const { task, asked, answered } = state;
  return typeof task === 'string' && isKeys(asked) && isKeys(answered)
    ? { task, asked, answered }
    : undefined;
}

/** 2026-07-28: everything stands in the task. */
async function byStatus(first: Task, call: CallRequests, answered: readonly string[]): Promise<CallEnd> {
  const tell = teller(call);
  for (let task = first; ; task = await look(task.id, call)) {
    tell(task);
    switch (task.status) {
      case 'completed':
        if (isObject(task.result)) return { kind: 'result', result: task.result };
        throw malformedAnswer('its task is completed and has no result');
      case 'failed':
        throw serverError(task.error);
      case 'cancelled':
        throw cancelledByServer(task);
      case 'input_required': {
        const questions = openQuestions(task, answered);
        if (questions !== undefined) return questions;
      }
    }
    await pause(task, call);
  }
}

/** 2025-11-25: `tasks/result` waits for the end, and carries the questions that come before it. */
async function byResult(first: Task, call: CallRequests): Promise<JsonObject> {
  const tell = teller(call);
  for (let task = first; ; task = await look(task.id, call)) {
    tell(task);
    if (task.status === 'cancelled') throw cancelledByServer(task);
    if (task.status !== 'working') {
      const own = { task: task.id };
      const result = await call.send('tasks/result', { taskId: task.id }, own).catch(unlessLost);
      if (result !== undefined) return result;
    }
    await pause(task, call);
  }
}

async function look(taskId: string, call: CallRequests): Promise<Task> {
  return taskOf(await untilHeard(call, 'tasks/get', { taskId }));
}

function unlessLost(error: unknown): undefined {
  if (!isLost(error)) throw error;
}

/** What may be asked twice is asked again where the connection failed. */
async function untilHeard(call: CallRequests, method: string, params: JsonObject): Promise<JsonObject> {
  for (let lost = 0; ; lost += 1) {
    try {
      return await call.send(method, params);
    } catch (error) {
      if (error instanceof ServerError)
        throw new SessionError(
          'lost',
          `The server answered to ${method}: "${printable(error.message, MAX_SAID)}"`,
          error,
        );
      if (lost >= MOST_LOST || call.signal.aborted || !isLost(error)) throw error;
      await pause({}, call);
    }
  }
}

function isLost(error: unknown): boolean {
  if (isToolcribError(error)) return error.code === 'upstream_unavailable';
  return error instanceof SessionError && ['lost', 'unsent', 'session_lost'].includes(error.kind);
}

/** Waits until the server wants to be asked again. Throws SessionError where the call ends before. */
async function pause({ pollMs = POLL_MS.default }: Pick<Task, 'pollMs'>, call: CallRequests): Promise<void> {
  const left = call.deadline - Date.now();
  const wait = Math.min(Math.max(pollMs, POLL_MS.least), POLL_MS.most);
  await setTimeoutPromise(Math.min(wait, Math.max(left, 0)), undefined, { signal: call.signal }).catch(
    () => undefined,
  );
  const ended = endOf(call);
  if (ended !== undefined) throw ended;
}

function openQuestions(
  { id, inputRequests }: Task,
  answered: readonly string[],
): InputRequiredResult | undefined {
  if (!isObject(inputRequests)) throw malformedAnswer('its task asks for nothing');
  const fresh = Object.entries(inputRequests).filter(([key]) => !answered.includes(key));
  if (fresh.length === 0) return undefined;
  const paused = { task: id, asked: fresh.map(([key]) => key), answered: [...answered] };
  const questions = inputRequired({ resultType: 'input_required', inputRequests: Object.fromEntries(fresh) });
  return questions && { ...questions, state: paused };
}

/** Each message once. */
function teller(call: CallRequests): (task: Task) => void {
  let last: string | undefined;
  return ({ message }) => {
    if (message !== undefined && message !== last) call.tell(message);
    last = message;
  };
}

/** Errors as those of a call that was taken on; a task that nobody waits for any more is cancelled. */
async function endingWell<T>(taskId: string, call: CallRequests, follow: () => Promise<T>): Promise<T> {
  try {
    return await follow();
  } catch (error) {
    const ended = endOf(call);
    if (ended !== undefined) call.sendAfterwards('tasks/cancel', { taskId });
    throw ended ?? afterCreation(error);
  }
}

/** How the call ended by itself, if it did. */
function endOf({ signal, deadline }: CallRequests): SessionError | undefined {
  if (signal.aborted) return abortedCall(signal);
  return Date.now() >= deadline ? lateCall() : undefined;
}

/** Nothing that fails now was never sent: the server has begun. */
function afterCreation(error: unknown): unknown {
  if (!isLost(error)) return error;
  return new SessionError('lost', `It was lost while its task ran: ${messageOf(error)}`, error);
}

function cancelledByServer({ message }: Task): SessionError {
  return malformedAnswer(
    `the server cancelled its task${message === undefined ? '' : `, saying "${message}"`}`,
  );
}

function isKeys(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string');
}
