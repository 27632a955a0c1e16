import { randomBytes } from 'node:crypto';
import { ToolcribError } from '../errors.ts';
import type { JsonObject } from '../operations/index.ts';
import { printable } from '../operations/text/printable.ts';
import { gatewayStops } from '../operations/work/gateway-stops.ts';
import { takenBack } from '../operations/work/taken-back.ts';
import { withinTime } from '../operations/work/within-time.ts';
import type { Store } from '../store/store.ts';
import { lostTask } from './lost-task.ts';
import { createMemoryTasks } from './memory-records.ts';
import type { TaskNotice, TaskRecords } from './records.ts';
import { createStoreTasks } from './store-records.ts';
import { hasEnded, type Task, type TaskEnd } from './task.ts';

/** Tasks that one process carries out at one time, of all callers and of one. */
const MOST_RUNNING = { all: 1_000, each: 50 };
/** Between two writes of what a task says it does, milliseconds. */
const SAY_MS = 1_000;
/** Before a write that failed is tried again, milliseconds. */
const AGAIN_MS = 2_000;
/** What closing waits for, milliseconds. */
const CLOSE_MS = 2_000;
const MAX_MESSAGE = 500;
const clientCancelled = () => takenBack('Its client cancelled the task.');

/** The call behind a task. */
export interface TaskWork {
  /** The client's answers to open questions, by key; others are passed over. Rejects with `answer_invalid`. */
  answer(responses: JsonObject): Promise<void>;
  /** It is to stop where it can, and to end the task in any case. The reason is `cancelled`, in one sentence for people. */
  cancel(reason: ToolcribError): void;
}

/** The call's own side of its task. */
export interface RunningTask {
  readonly created: Task;
  /** What it does now, for people and models. */
  say(message: string): void;
  /** What its client is asked now, by key; none: it works. */
  ask(questions: JsonObject): void;
  /** Once; what comes later is passed over. */
  end(end: TaskEnd): void;
}

/** Calls that go on after their request was answered. Throws `task_unknown` for whatever is not the owner's own. */
export interface Tasks {
  /**
   * Resolves when every process of the store knows it, with what it says at first. Undefined where there are too many:
   * the call stays a request.
   */
  create(owner: string, work: TaskWork, message?: string): Promise<RunningTask | undefined>;
  get(id: string, owner: string): Promise<Task>;
  /** Resolves when the answers are on their way; one who asks at once may still see the questions. */
  answer(id: string, owner: string, responses: JsonObject): Promise<void>;
  /** The same for the wish that it stops. */
  cancel(id: string, owner: string): Promise<void>;
  sweep(): Promise<void>;
  /** Cancels what runs here and waits a little for it. */
  close(): Promise<void>;
}

export interface TasksOptions {
  /** Undefined: they are kept in this process. */
  readonly store: Store | undefined;
  /** Takes secrets out of what a task says of itself. */
  readonly redact: (text: string) => string;
  /** How long a task is kept after it ended, milliseconds; as it counts now. */
  readonly keepMs: () => number;
  /** A task could not be written; it is tried again. */
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
}

export function createTasks({ store, keepMs, redact, onError, now = Date.now }: TasksOptions): Tasks {
  const records: TaskRecords = store === undefined ? createMemoryTasks(now) : createStoreTasks(store, now);
  const running = new Map<string, Running>();
  /** Those that are being written down, with whom they count for already. */
  const coming = new Set<{ readonly owner: string; readonly made: Promise<Running | undefined> }>();
  let isClosed = false;
  const line = (message: string) => printable(redact(message), MAX_MESSAGE).trim();
  const hear = (id: string, notice: TaskNotice) => {
    const one = running.get(id);
    if (notice.kind === 'cancel') one?.work.cancel(clientCancelled());
    // its client was answered by the process that it asked; where it does not fit, the task still asks
    else one?.work.answer(notice.responses).catch(() => undefined);
  };
  const stopListening = records.onNotice(hear, () => running.size > 0);
  const find = async (id: string, owner: string): Promise<Task> => {
    const one = running.get(id);
    const found = one === undefined ? await records.get(id) : { task: one.task, owner: one.owner };
    if (found === undefined || found.owner !== owner) throw unknown(id);
    return hasEnded(found.task) ? found.task : { ...found.task, expiresAt: now() + keepMs() };
  };
  const make = async (owner: string, work: TaskWork, message?: string): Promise<Running | undefined> => {
    const time = now();
    const task: Task = {
      id: randomBytes(16).toString('hex'),
      status: 'working',
      ...(message === undefined ? {} : { message: line(message) }),
      createdAt: time,
      updatedAt: time,
      expiresAt: time + keepMs(),
    };
    if (!(await records.insert({ task, owner }))) return undefined;
    const one = new Running(task, {
      owner,
      work,
      save: (changed) => records.save(changed),
      clock: () => ({ updatedAt: now(), expiresAt: now() + keepMs() }),
      line,
      onError,
      settled: () => running.delete(task.id),
    });
    running.set(task.id, one);
    return one;
  };
  const isFull = (owner: string): boolean => {
    const all = [...running.values(), ...coming];
    return (
      all.length >= MOST_RUNNING.all || all.filter((one) => one.owner === owner).length >= MOST_RUNNING.each
    );
  };
  return {
    async create(owner, work, message) {
      if (isClosed || isFull(owner)) return undefined;
      const one = { owner, made: make(owner, work, message) };
      coming.add(one);
      try {
        return await one.made;
      } finally {
        coming.delete(one);
      }
    },
    get: find,
    async answer(id, owner, responses) {
      const task = await find(id, owner);
      const one = running.get(id);
      if (one !== undefined) await one.work.answer(responses);
      else if (!hasEnded(task)) await records.post(id, { kind: 'answer', responses });
    },
    async cancel(id, owner) {
      const task = await find(id, owner);
      const one = running.get(id);
      if (one !== undefined) one.work.cancel(clientCancelled());
      else if (!hasEnded(task)) await records.post(id, { kind: 'cancel' });
    },
    sweep: () => records.sweep(),
    async close() {
      isClosed = true;
      stopListening();
      await withinTime(CLOSE_MS, Promise.allSettled([...coming].map(({ made }) => made)));
      for (const one of running.values()) one.work.cancel(gatewayStops());
      await withinTime(CLOSE_MS, Promise.all([...running.values()].map((one) => one.settled)));
      const left = [...running.values()];
      for (const one of left) one.giveUp(lostTask(one.task, now()));
      await withinTime(CLOSE_MS, Promise.allSettled(left.map(({ task }) => records.save(task))));
      running.clear();
    },
  };
}

interface RunningParts {
  readonly owner: string;
  readonly work: TaskWork;
  readonly save: (task: Task) => Promise<void>;
  readonly line: (text: string) => string;
  readonly clock: () => Pick<Task, 'updatedAt' | 'expiresAt'>;
  readonly onError: (error: unknown) => void;
  /** Its end is written. */
  readonly settled: () => void;
}

/** A task that this process carries out: as it stands here, written behind. */
class Running implements RunningTask {
  readonly created: Task;
  task: Task;
  readonly #parts: RunningParts;
  readonly #settled = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;
  #writing = false;
  #written: Task;
  #isGivenUp = false;

  constructor(task: Task, parts: RunningParts) {
    this.created = task;
    this.task = task;
    this.#written = task;
    this.#parts = parts;
  }

  get owner(): string {
    return this.#parts.owner;
  }

  get work(): TaskWork {
    return this.#parts.work;
  }

  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  say(message: string): void {
    const line = this.#parts.line(message);
    if (hasEnded(this.task) || line === '' || line === this.task.message) return;
    this.task = { ...this.task, ...this.#parts.clock(), message: line };
    this.#later(SAY_MS);
  }

  ask(questions: JsonObject): void {
    if (hasEnded(this.task)) return;
    const { content: _before, ...rest } = this.task;
    const isOpen = Object.keys(questions).length > 0;
    this.task = {
      ...rest,
      ...this.#parts.clock(),
      status: isOpen ? 'input_required' : 'working',
      ...(isOpen ? { content: questions } : {}),
    };
    this.#write();
  }

  end({ status, message, content, source }: TaskEnd): void {
    if (hasEnded(this.task)) return;
    const { id, createdAt } = this.task;
    this.task = {
      id,
      createdAt,
      ...this.#parts.clock(),
      status,
      ...(message === undefined ? {} : { message: this.#parts.line(message) }),
      ...(content === undefined ? {} : { content }),
      ...(source === undefined ? {} : { source }),
    };
    this.#write();
  }

  /** Without an end of its own; nothing more is written from here. */
  giveUp(end: Task): void {
    this.#isGivenUp = true;
    clearTimeout(this.#timer);
    if (!hasEnded(this.task)) this.task = end;
  }

  #later(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.#write(), milliseconds).unref();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#isGivenUp) return;
    void this.#writeAll();
  }

  /** Until what is written is what is. */
  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#written !== this.task && !this.#isGivenUp) {
      const { task } = this;
      try {
        await this.#parts.save(task);
        this.#written = task;
      } catch (error) {
        this.#parts.onError(error);
        this.#later(AGAIN_MS);
        break;
      }
    }
    this.#writing = false;
    if (!hasEnded(this.#written)) return;
    this.#parts.settled();
    this.#settled.resolve();
  }
}

function unknown(id: string): ToolcribError {
  return new ToolcribError('task_unknown', `This caller has no task "${printable(id, 64)}".`);
}
