import type { JsonObject } from '../operations/index.ts';
import type { Task } from './task.ts';

/** What a task's client says to whichever process carries it out. */
export type TaskNotice =
  | { readonly kind: 'answer'; readonly responses: JsonObject }
  | { readonly kind: 'cancel' };

export interface StoredTask {
  readonly task: Task;
  /** Whose it is; equal texts are the same caller. */
  readonly owner: string;
}

/** Where tasks are kept: in the store for all its processes, or in this process. Throws `store_unavailable`. */
export interface TaskRecords {
  /** Resolves when every process can read it. False where its owner has too many: then there is none. */
  insert(stored: StoredTask): Promise<boolean>;
  /** Changes nothing where it has ended already. */
  save(task: Task): Promise<void>;
  /** Undefined: it was never there, or is gone. One whose process is gone has failed. */
  get(id: string): Promise<StoredTask | undefined>;
  /** For the process that carries the task out, where that is another one. */
  post(id: string, notice: TaskNotice): Promise<void>;
  /**
   * Told of notices for tasks of this process, within a second; the returned function ends it. Nothing is looked for
   * while nothing `runs`.
   */
  onNotice(listener: (id: string, notice: TaskNotice) => void, runs: () => boolean): () => void;
  /** Removes those whose time has passed. */
  sweep(): Promise<void>;
}

/** Tasks of one caller that are kept at one time. */
export const MOST_KEPT = 1_000;
