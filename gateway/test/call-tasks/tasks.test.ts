import { setTimeout as passing } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTasks, type Tasks, type TaskWork } from '../../src/call-tasks/index.ts';
import { createPresence } from '../../src/events/presence.ts';
import type { JsonObject } from '../../src/operations/index.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryStore } from '../store/support/stores.ts';

const KEEP_MS = 60_000;
/** A process is found silent twice, so far apart, before it has ended. */
const SILENT_MS = 10_000;
const ANN = 'ann';
const RESULT = { content: [{ type: 'text', text: 'done' }] };
const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?' } };

/** A call that remembers what its client told it. */
function work(): TaskWork & { readonly answers: JsonObject[]; cancelled: number } {
  return {
    answers: [],
    cancelled: 0,
    async answer(responses) {
      this.answers.push(responses);
    },
    cancel() {
      this.cancelled++;
    },
  };
}

let now: number;

/** The tasks of one process. */
function tasksOf(
  store: Store | undefined,
  options: { readonly keepMs?: number; readonly onError?: (error: unknown) => void } = {},
): Tasks {
  return createTasks({
    store,
    keepMs: () => options.keepMs ?? KEEP_MS,
    redact: (text) => text.replaceAll('s3cret', '[redacted]'),
    onError: options.onError ?? (() => undefined),
    now: () => now,
  });
}

beforeEach(() => {
  now = Date.now();
});

const unknown = { code: 'task_unknown' };

/** What every place that keeps tasks promises. */
function cases(open: () => Promise<Tasks>): void {
  let tasks: Tasks;
  beforeEach(async () => {
    tasks = await open();
  });

  it.each(['wiki', ''])('knows whose words stand in what a task brought: "%s"', async (source) => {
    const task = (await tasks.create(ANN, work()))!;
    task.end({ status: 'completed', content: RESULT, source });
    expect(await tasks.get(task.created.id, ANN)).toMatchObject({ source });
    // from here on it is read where it was written
    await tasks.close();
    expect(await tasks.get(task.created.id, ANN)).toMatchObject({ source, content: RESULT });
  });

  it('tells how a task stands, from its first word to its end', async () => {
    const task = (await tasks.create(ANN, work()))!;
    const { id } = task.created;
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await tasks.get(id, ANN)).toEqual({
      id,
      status: 'working',
      createdAt: now,
      updatedAt: now,
      expiresAt: now + KEEP_MS,
    });
    now += 1_000;
    task.say('half\nway, with s3cret');
    expect(await tasks.get(id, ANN)).toMatchObject({
      message: 'half way, with [redacted]',
      updatedAt: now,
    });
    task.ask({ one: QUESTION });
    expect(await tasks.get(id, ANN)).toMatchObject({ status: 'input_required', content: { one: QUESTION } });
    task.ask({});
    const working = await tasks.get(id, ANN);
    expect(working).toMatchObject({ status: 'working', message: 'half way, with [redacted]' });
    expect(working).not.toHaveProperty('content');
    const ended = { id, status: 'completed', createdAt: now - 1_000, updatedAt: now, content: RESULT };
    const tooLate = () => {
      task.say('too late');
      task.ask({ one: QUESTION });
      task.end({ status: 'cancelled' });
    };
    task.end({ status: 'completed', content: RESULT });
    tooLate();
    expect(await tasks.get(id, ANN)).toEqual({ ...ended, expiresAt: now + KEEP_MS });
    await expect.poll(() => tasks.get(id, ANN)).toMatchObject(ended);
    tooLate();
    expect(await tasks.get(id, ANN)).toMatchObject(ended);
    expect(await tasks.get(id, ANN)).not.toHaveProperty('message');
  });

  it('says no secret, first, meanwhile or last', async () => {
    const task = (await tasks.create(ANN, work(), 'opens s3cret\nand more'))!;
    const { id } = task.created;
    expect(task.created.message).toBe('opens [redacted] and more');
    expect(await tasks.get(id, ANN)).toMatchObject({ message: 'opens [redacted] and more' });
    task.end({ status: 'failed', message: 'no s3cret', content: { code: -32603, message: 'failed' } });
    await vi.waitFor(
      async () =>
        expect(await tasks.get(id, ANN)).toMatchObject({ status: 'failed', message: 'no [redacted]' }),
      20_000,
    );
  });

  it('knows a task for its owner alone', async () => {
    const own = work();
    const { created } = (await tasks.create(ANN, own))!;
    const told = [
      tasks.get(created.id, 'bob'),
      tasks.answer(created.id, 'bob', { one: {} }),
      tasks.cancel(created.id, 'bob'),
      tasks.get('0'.repeat(32), ANN),
    ];
    for (const attempt of told) await expect(attempt).rejects.toMatchObject(unknown);
    expect(own).toMatchObject({ answers: [], cancelled: 0 });
  });

  it('hands answers and the wish to stop to the call, and to none that has ended', async () => {
    const own = work();
    const task = (await tasks.create(ANN, own))!;
    const { id } = task.created;
    await tasks.answer(id, ANN, { one: { action: 'accept' } });
    await tasks.cancel(id, ANN);
    expect(own).toMatchObject({ answers: [{ one: { action: 'accept' } }], cancelled: 1 });
    task.end({ status: 'cancelled' });
    await expect.poll(async () => (await tasks.get(id, ANN)).status).toBe('cancelled');
    await passing(20);
    await tasks.answer(id, ANN, { one: {} });
    await tasks.cancel(id, ANN);
    expect(own.cancelled).toBe(1);
  });

  it('keeps an ended task as long as it says, and one that runs for as long as that takes', async () => {
    const ended = (await tasks.create(ANN, work()))!;
    const runs = (await tasks.create(ANN, work()))!;
    ended.end({ status: 'failed', message: 'lost', content: { code: -32603, message: 'lost' } });
    await passing(50);
    now += KEEP_MS - 1;
    await tasks.sweep();
    expect(await tasks.get(ended.created.id, ANN)).toMatchObject({ status: 'failed', message: 'lost' });
    now += 1;
    await expect(tasks.get(ended.created.id, ANN)).rejects.toMatchObject(unknown);
    await tasks.sweep();
    expect(await tasks.get(runs.created.id, ANN)).toMatchObject({
      status: 'working',
      expiresAt: now + KEEP_MS,
    });
    runs.end({ status: 'completed', content: RESULT });
    await passing(50);
    expect(await tasks.get(runs.created.id, ANN)).toMatchObject({ status: 'completed', content: RESULT });
  });

  it('carries out fifty of one caller at one time', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => tasks.create(ANN, work())));
    expect(made).not.toContain(undefined);
    expect(await tasks.create(ANN, work())).toBeUndefined();
    expect(await tasks.create('bob', work())).toBeDefined();
    made[0]!.end({ status: 'completed', content: RESULT });
    await vi.waitFor(async () => expect(await tasks.create(ANN, work())).toBeDefined(), 20_000);
  });

  it('counts those that are being written down with those that run', async () => {
    const made = await Promise.all(Array.from({ length: 60 }, () => tasks.create(ANN, work())));
    expect(made.filter((one) => one !== undefined)).toHaveLength(50);
  });

  it('keeps a thousand of one caller, ended ones among them, until their time has passed', async () => {
    const results = Array.from({ length: 1_000 });
    for (const _ of results) {
      const task = (await tasks.create(ANN, work()))!;
      task.end({ status: 'completed' });
      await passing(0);
    }
    expect(await tasks.create(ANN, work())).toBeUndefined();
    expect(await tasks.create('bob', work())).toBeDefined();
    now += KEEP_MS;
    expect(await tasks.create(ANN, work())).toBeDefined();
  });

  it('cancels one that is being made while it closes, and makes none after that', async () => {
    const cancelled = Promise.withResolvers<Error>();
    const making = tasks.create(ANN, { ...work(), cancel: cancelled.resolve });
    const closing = tasks.close();
    const task = await making;
    expect(await cancelled.promise).toMatchObject({ code: 'cancelled', message: 'The gateway stopped.' });
    task!.end({ status: 'cancelled' });
    await closing;
    expect(await tasks.create(ANN, work())).toBeUndefined();
  });

  it('cancels what runs when it closes, and gives up what does not stop', async () => {
    const stopping = work();
    const task = (await tasks.create(ANN, { ...stopping, cancel: () => task.end({ status: 'cancelled' }) }))!;
    const deaf = (await tasks.create(ANN, work()))!;
    await tasks.close();
    deaf.end({ status: 'completed', content: RESULT });
    const later = await open();
    const statuses = [task, deaf].map(async ({ created: { id } }) => (await later.get(id, ANN)).status);
    const kept = await Promise.allSettled(statuses);
    const found = kept.map((one) => (one.status === 'fulfilled' ? one.value : 'gone'));
    expect([
      ['cancelled', 'failed'],
      ['gone', 'gone'],
    ]).toContainEqual(found);
  });
}

describe('in one process', () => {
  cases(async () => tasksOf(undefined));

  it('makes none while the results that are kept fill its memory', async () => {
    const tasks = tasksOf(undefined);
    const large = 'x'.repeat(17 * 1024 * 1024);
    const asks = (await tasks.create(ANN, work()))!;
    for (let times = 0; times < 4; times++) {
      asks.ask({ question: { ...QUESTION, params: { message: large } } });
      await passing(1);
    }
    for (let times = 0; times < 3; times++) {
      const task = (await tasks.create(ANN, work()))!;
      task.end({ status: 'completed', content: { text: large } });
      await passing(1);
    }
    expect(await tasks.create('bob', work())).toBeUndefined();
    asks.end({ status: 'completed', content: RESULT });
    await passing(1);
    const task = (await tasks.create('bob', work()))!;
    task.end({ status: 'completed', content: { text: large } });
    await passing(1);
    expect(await tasks.create('bob', work())).toBeUndefined();
    now += KEEP_MS;
    expect(await tasks.create('bob', work())).toBeDefined();
  });

  it('carries out a thousand of all callers at one time', async () => {
    const tasks = tasksOf(undefined);
    const made = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => tasks.create(`caller ${index % 20}`, work())),
    );
    expect(made).not.toContain(undefined);
    expect(await tasks.create(ANN, work())).toBeUndefined();
    made[0]!.end({ status: 'completed', content: RESULT });
    await vi.waitFor(async () => expect(await tasks.create(ANN, work())).toBeDefined(), 20_000);
  });
});

onEveryStore((bench) => {
  cases(async () => tasksOf(await bench.open()));

  /** A process that others see alive. */
  async function process() {
    const store = await bench.open();
    const presence = createPresence(store, () => undefined);
    await presence.fresh();
    return { store, presence, tasks: tasksOf(store) };
  }

  it('tells in every process how a task stands, and carries answers to the one that it runs in', async () => {
    const [here, there] = await Promise.all([process(), process()]);
    const own = work();
    const task = (await here.tasks.create(ANN, own))!;
    const { id } = task.created;
    expect(await there.tasks.get(id, ANN)).toMatchObject({ id, status: 'working' });
    task.ask({ one: QUESTION });
    await vi.waitFor(
      async () => expect(await there.tasks.get(id, ANN)).toMatchObject({ content: { one: QUESTION } }),
      20_000,
    );
    await there.tasks.answer(id, ANN, { one: { action: 'accept', content: {} } });
    await there.tasks.answer(id, ANN, { two: { action: 'decline' } });
    await there.tasks.cancel(id, ANN);
    await vi.waitFor(() => expect(own.cancelled).toBe(1), 5_000);
    expect(own.answers).toEqual([{ one: { action: 'accept', content: {} } }, { two: { action: 'decline' } }]);
    expect(await here.store.database.selectFrom('task_notices').selectAll().execute()).toEqual([]);
    task.end({ status: 'completed', content: RESULT });
    await vi.waitFor(
      async () =>
        expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'completed', content: RESULT }),
      20_000,
    );
    await expect(there.tasks.get(id, 'bob')).rejects.toMatchObject(unknown);
    await Promise.all([here, there].map(({ presence }) => presence.close()));
  });

  it('closes although the store answers no more', async () => {
    const store = await bench.open();
    let isSilent = false;
    const never = { set: () => never, where: () => never, execute: () => new Promise(() => {}) };
    const database = new Proxy(store.database, {
      get(target, key) {
        if (isSilent && key === 'updateTable') return () => never;
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const tasks = tasksOf({ ...store, database });
    expect(await tasks.create(ANN, work())).toBeDefined();
    isSilent = true;
    await tasks.close();
  });

  it('leaves to each process what is said to the tasks that it carries out', async () => {
    const [here, there, third] = await Promise.all([process(), process(), process()]);
    const own = work();
    const other = work();
    const { id } = (await here.tasks.create(ANN, own))!.created;
    await there.tasks.create(ANN, other);
    const { database } = here.store;
    const taking = database.deleteFrom.bind(database);
    const others = vi.spyOn(there.store.database, 'deleteFrom');
    // the other one hears of it first
    const late = vi.spyOn(database, 'deleteFrom').mockImplementation((table) => {
      if (others.mock.calls.length === 0) throw new Error('busy');
      return taking(table);
    });
    await third.tasks.answer(id, ANN, { one: { action: 'accept' } });
    await third.tasks.cancel(id, ANN);
    await vi.waitFor(() => expect(own.cancelled).toBe(1), 10_000);
    expect(own.answers).toEqual([{ one: { action: 'accept' } }]);
    expect(other).toMatchObject({ answers: [], cancelled: 0 });
    for (const spy of [others, late]) spy.mockRestore();
    await Promise.all([here, there, third].map(({ presence }) => presence.close()));
  });

  it('lets a task fail whose process is gone, and leaves it so', async () => {
    const [here, there] = await Promise.all([process(), process()]);
    const task = (await here.tasks.create(ANN, work()))!;
    const { id } = task.created;
    await here.presence.close();
    expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'working' });
    now += SILENT_MS;
    expect(await there.tasks.get(id, ANN)).toMatchObject({
      status: 'failed',
      content: { code: -32603, data: { code: 'outcome_unknown' } },
    });
    task.end({ status: 'completed', content: RESULT });
    await passing(50);
    expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'failed' });
    await there.presence.close();
  });

  it('tells the end that a process wrote just before it was gone', async () => {
    const here = await process();
    const { database } = here.store;
    const { id } = (await here.tasks.create(ANN, work()))!.created;
    await here.presence.close();
    const other = await bench.open();
    let isWritten = false;
    const writesItsEnd: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!isWritten && result.rows.some((row) => row['id'] === id)) {
          isWritten = true;
          const end = { status: 'completed', content: JSON.stringify(RESULT) };
          await database.updateTable('tasks').set(end).where('id', '=', id).execute();
        }
        return result;
      },
    };
    const tasks = tasksOf({ ...other, database: other.database.withPlugin(writesItsEnd) });
    isWritten = true;
    await tasks.get(id, ANN);
    now += SILENT_MS;
    isWritten = false;
    expect(await tasks.get(id, ANN)).toMatchObject({ status: 'completed', content: RESULT });
  });

  it('lets a task be whose process was silent for as long as the store was away', async () => {
    const [here, there] = await Promise.all([process(), process()]);
    const task = (await here.tasks.create(ANN, work()))!;
    const { id } = task.created;
    const own = here.store.database.updateTable('processes').where('id', '=', here.store.process);
    const silent = async () => own.set({ seen_at: Date.now() - 60_000 }).execute();
    await silent();
    expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'working' });
    await own.set({ seen_at: Date.now() }).execute();
    now += SILENT_MS;
    expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'working' });
    await silent();
    expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'working' });
    now += SILENT_MS - 1;
    expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'working' });
    now += 1;
    expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'failed' });
    await Promise.all([here, there].map(({ presence }) => presence.close()));
  });

  it('takes notices again that could not be taken', async () => {
    const [here, there] = await Promise.all([process(), process()]);
    const own = work();
    const { id } = (await here.tasks.create(ANN, own))!.created;
    const taking = vi.spyOn(here.store.database, 'deleteFrom').mockImplementationOnce(() => {
      throw new Error('busy');
    });
    await there.tasks.cancel(id, ANN);
    await vi.waitFor(() => expect(own.cancelled).toBe(1), 5_000);
    expect(taking).toHaveBeenCalledTimes(2);
    taking.mockRestore();
    await Promise.all([here, there].map(({ presence }) => presence.close()));
  });

  it('takes what was said while nobody told it of changes', async () => {
    const [here, there] = await Promise.all([process(), process()]);
    const changed = Promise.withResolvers<(scope: string) => void>();
    const deaf = tasksOf({
      ...here.store,
      onChange(listener) {
        changed.resolve(listener);
        return () => undefined;
      },
    });
    const own = work();
    const { id } = (await deaf.create(ANN, own))!.created;
    await there.tasks.cancel(id, ANN);
    (await changed.promise)('*');
    await vi.waitFor(() => expect(own.cancelled).toBe(1), 5_000);
    await Promise.all([here, there].map(({ presence }) => presence.close()));
  });

  it('sweeps no task that another process still carries out, however long it says nothing', async () => {
    const [here, there] = await Promise.all([process(), process()]);
    const task = (await here.tasks.create(ANN, work()))!;
    const { id } = task.created;
    for (let sweeps = 0; sweeps < 3; sweeps++) {
      now += KEEP_MS;
      await there.tasks.sweep();
    }
    expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'working', expiresAt: now + KEEP_MS });
    task.end({ status: 'completed', content: RESULT });
    await vi.waitFor(
      async () =>
        expect(await there.tasks.get(id, ANN)).toMatchObject({ status: 'completed', content: RESULT }),
      20_000,
    );
    await Promise.all([here, there].map(({ presence }) => presence.close()));
  });

  it('sweeps what nobody asked for after its process was gone, and notices that nobody took', async () => {
    const [here, there] = await Promise.all([process(), process()]);
    await here.tasks.create(ANN, work());
    const asked = (await here.tasks.create(ANN, work()))!;
    await here.presence.close();
    await there.store.database
      .insertInto('task_notices')
      .values(['gone', asked.created.id].map((id) => ({ task_id: id, process_id: 'gone', body: '{}' })))
      .execute();
    now += KEEP_MS;
    await there.tasks.sweep();
    const kept = await there.store.database.selectFrom('task_notices').select('task_id').execute();
    expect(kept).toEqual([{ task_id: asked.created.id }]);
    now += SILENT_MS;
    await there.tasks.sweep();
    expect(await there.tasks.get(asked.created.id, ANN)).toMatchObject({ status: 'failed' });
    expect(await there.store.database.selectFrom('task_notices').selectAll().execute()).toEqual([]);
    now += 3_600_000;
    await there.tasks.sweep();
    expect(await there.store.database.selectFrom('tasks').selectAll().execute()).toEqual([]);
    await there.presence.close();
  });
});

it('writes an end again that could not be written, and tells it meanwhile', async () => {
  const failures = [new Error('away'), new Error('away')];
  const rows = new Map<string, unknown>();
  vi.useFakeTimers();
  try {
    const { tasks, update, errors } = failing(failures, rows);
    const task = (await tasks.create(ANN, work()))!;
    task.end({ status: 'completed', content: RESULT });
    await vi.advanceTimersByTimeAsync(0);
    expect(errors).toHaveLength(1);
    expect(await tasks.get(task.created.id, ANN)).toMatchObject({ status: 'completed' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(errors).toHaveLength(2);
    expect(update).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
  }
});

/** Tasks over a store whose updates fail as often as there are failures. */
function failing(failures: Error[], rows: Map<string, unknown>) {
  const update = vi.fn(async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  });
  const chain: Record<string, unknown> = {};
  for (const name of ['set', 'where']) chain[name] = () => chain;
  chain['execute'] = update;
  const inserting = {
    selectFrom: () => counting,
    insertInto: () => ({ values: (row: { id: string }) => ({ execute: async () => rows.set(row.id, row) }) }),
  };
  const counting: Record<string, unknown> = { executeTakeFirstOrThrow: async () => ({ count: 0 }) };
  for (const name of ['select', 'where']) counting[name] = () => counting;
  const store = {
    process: 'here',
    database: { updateTable: () => chain },
    transaction: async (run: (transaction: unknown) => Promise<unknown>) => run(inserting),
    onChange: () => () => undefined,
  } as unknown as Store;
  const errors: unknown[] = [];
  return { tasks: tasksOf(store, { onError: (error) => errors.push(error) }), update, errors };
}
