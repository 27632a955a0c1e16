import type { JsonObject } from '../operations/index.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A call that goes on after its request was answered, as it stands (MCP 2026-07-28, extension Tasks). */
export interface Task {
  /** 128 random bits in hex. */
  readonly id: string;
  readonly status: TaskStatus;
  /** What is being done, or how it ended; one line. */
  readonly message?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Gone from then on; of a task that runs it moves on. */
  readonly expiresAt: number;
  /** By status: the open questions by key, the result of the call, the JSON-RPC error; else absent. */
  readonly content?: JsonObject;
  /** Of which source strangers' words stand in the content; '': nobody knows of which; absent: none do. */
  readonly source?: string;
}

/** How a task ended. */
export type TaskEnd = Pick<Task, 'message' | 'content' | 'source'> & {
  readonly status: 'completed' | 'failed' | 'cancelled';
};

/** Of a task that has not ended. */
export const OPEN: readonly TaskStatus[] = ['working', 'input_required'];

export function hasEnded({ status }: Pick<Task, 'status'>): boolean {
  return !OPEN.includes(status);
}
