import { MOST_KEPT, type StoredTask, type TaskRecords } from './records.ts';
import { hasEnded, type Task } from './task.ts';

/** Characters of all results that are kept. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Tasks of one process, where there is no store; they end with it. */
export function createMemoryTasks(now: () => number): TaskRecords {
  const kept = new Map<string, StoredTask & { readonly size: number }>();
  let characters = 0;
  const put = (task: Task, owner: string): void => {
    const size = task.content === undefined ? 0 : JSON.stringify(task.content).length;
    characters += size - (kept.get(task.id)?.size ?? 0);
    kept.set(task.id, { task, owner, size });
  };
  const removeExpired = (): void => {
    const time = now();
    for (const [id, { task, size }] of kept) {
      if (!hasEnded(task) || task.expiresAt > time) continue;
      characters -= size;
      kept.delete(id);
    }
  };
  return {
    async insert({ task, owner }) {
      removeExpired();
      const own = [...kept.values()].filter((one) => one.owner === owner).length;
      if (own >= MOST_KEPT || characters >= MOST_CHARACTERS) return false;
      put(task, owner);
      return true;
    },
    async save(task) {
      const stored = kept.get(task.id);
      if (stored !== undefined && !hasEnded(stored.task)) put(task, stored.owner);
    },
    async get(id) {
      removeExpired();
      return kept.get(id);
    },
    // its tasks are carried out here
    post: async () => undefined,
    onNotice: () => () => undefined,
    sweep: async () => removeExpired(),
  };
}
