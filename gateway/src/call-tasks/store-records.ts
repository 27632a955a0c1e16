import type { Selectable } from 'kysely';
import type { JsonObject } from '../operations/index.ts';
import { createEndedProcess } from '../store/ended-process.ts';
import type { Store } from '../store/store.ts';
import type { TaskTable } from '../store/tables.ts';
import { lostTask } from './lost-task.ts';
import { MOST_KEPT, type TaskNotice, type TaskRecords } from './records.ts';
import { hasEnded, OPEN, type Task, type TaskStatus } from './task.ts';

/** What every process watches: raised by each notice. */
const SCOPE = 'tasks';

/** Before notices that could not be taken are looked for again, milliseconds. */
const AGAIN_MS = 1_000;

/** Tasks in the store: any of its processes tells how one stands, whichever carries it out. */
export function createStoreTasks(store: Store, now: () => number): TaskRecords {
  const { database, process } = store;
  const hasEndedProcess = createEndedProcess(store, now);
  const rowOf = (id: string) =>
    database.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  const save = async (task: Task): Promise<void> => {
    await database
      .updateTable('tasks')
      .set(changing(task))
      .where('id', '=', task.id)
      .where('status', 'in', [...OPEN])
      .execute();
  };
  return {
    async insert({ task, owner }) {
      return store.transaction(async (transaction) => {
        const { count } = await transaction
          .selectFrom('tasks')
          .select((on) => on.fn.countAll().as('count'))
          .where('owner', '=', owner)
          .where((on) => on.or([on('status', 'in', [...OPEN]), on('expires_at', '>', now())]))
          .executeTakeFirstOrThrow();
        if (Number(count) >= MOST_KEPT) return false;
        const row = { id: task.id, owner, process_id: process, created_at: task.createdAt };
        await transaction
          .insertInto('tasks')
          .values({ ...row, ...changing(task) })
          .execute();
        return true;
      });
    },
    save,
    async get(id) {
      const row = await rowOf(id);
      if (row === undefined) return undefined;
      const task = taskOf(row);
      const { owner } = row;
      if (hasEnded(task)) return task.expiresAt > now() ? { task, owner } : undefined;
      if (!(await hasEndedProcess(row.process_id))) return { task, owner };
      await save(lostTask(task, now()));
      // what its process wrote before it ended counts
      const left = await rowOf(id);
      return left && { task: taskOf(left), owner };
    },
    async post(id, notice) {
      await store.change([SCOPE], async (transaction) => {
        const row = await transaction
          .selectFrom('tasks')
          .select('process_id')
          .where('id', '=', id)
          .where('status', 'in', [...OPEN])
          .executeTakeFirst();
        if (row === undefined) return;
        await transaction
          .insertInto('task_notices')
          .values({ task_id: id, process_id: row.process_id, body: JSON.stringify(notice) })
          .execute();
      });
    },
    onNotice(listener, runs) {
      const take = async () => {
        const rows = await database
          .deleteFrom('task_notices')
          .where('process_id', '=', process)
          .returning(['number', 'task_id', 'body'])
          .execute();
        for (const { task_id: id, body } of rows.toSorted((a, b) => Number(a.number) - Number(b.number)))
          listener(id, JSON.parse(body) as TaskNotice);
      };
      let again: NodeJS.Timeout | undefined;
      const attempt = (): void => {
        clearTimeout(again);
        if (!runs()) return;
        take().catch(() => {
          again = setTimeout(attempt, AGAIN_MS).unref();
        });
      };
      const stop = store.onChange((scope) => {
        if (scope === SCOPE || scope === '*') attempt();
      });
      return () => {
        clearTimeout(again);
        stop();
      };
    },
    async sweep() {
      await database
        .deleteFrom('tasks')
        .where('status', 'not in', [...OPEN])
        .where('expires_at', '<=', now())
        .execute();
      const open = await database
        .selectFrom('tasks')
        .selectAll()
        .where('status', 'in', [...OPEN])
        .where('expires_at', '<=', now())
        .limit(1_000)
        .execute();
      for (const row of open)
        if (await hasEndedProcess(row.process_id)) await save(lostTask(taskOf(row), now()));
      await database
        .deleteFrom('task_notices')
        .where('task_id', 'not in', (on) =>
          on
            .selectFrom('tasks')
            .select('id')
            .where('status', 'in', [...OPEN]),
        )
        .execute();
    },
  };
}

function changing(
  task: Task,
): Pick<TaskTable, 'status' | 'message' | 'content' | 'source' | 'updated_at' | 'expires_at'> {
  return {
    status: task.status,
    message: task.message ?? null,
    content: task.content === undefined ? null : JSON.stringify(task.content),
    source: task.source ?? null,
    updated_at: task.updatedAt,
    expires_at: task.expiresAt,
  };
}

function taskOf(row: Selectable<TaskTable>): Task {
  return {
    id: row.id,
    status: row.status as TaskStatus,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    expiresAt: Number(row.expires_at),
    ...(row.message === null ? {} : { message: row.message }),
    ...(row.content === null ? {} : { content: JSON.parse(row.content) as JsonObject }),
    ...(row.source === null ? {} : { source: row.source }),
  };
}
