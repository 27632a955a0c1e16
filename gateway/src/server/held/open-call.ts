import { randomBytes } from 'node:crypto';
import type { RunningTask, Task, TaskEnd, TaskWork } from '../../call-tasks/index.ts';
import { ToolcribError } from '../../errors.ts';
import type {
  CallChannel,
  InputRequest,
  InputRequiredResult,
  Json,
  JsonObject,
  Principal,
} from '../../operations/index.ts';
import { canAnswer, refuseUndeclared } from './declared-capabilities.ts';
import { type FormFaults, formsOf, isInputRequired, refuseMisfits } from './fitting-answers.ts';

/** How a call becomes a task whose client follows tasks, and how its task ends. */
export interface TaskWay {
  /** A call that takes longer becomes one, milliseconds. */
  readonly afterMs: number;
  /** Undefined: it cannot. */
  create(work: TaskWork, message: string | undefined): Promise<RunningTask | undefined>;
  endOf(outcome: { readonly kind: string }): TaskEnd;
  failedWith(error: unknown): TaskEnd;
}

/** One request of a client, as the core takes it. */
export interface HeldRequest {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly channel: CallChannel;
  /** Its client follows tasks: the call may become one. */
  readonly tasks?: TaskWay | undefined;
}

/** The request is answered, the call goes on as a task. */
export interface TaskResult {
  readonly kind: 'task';
  readonly task: Task;
}

export interface Outcome {
  readonly kind: string;
}

type Step =
  | { readonly kind: 'asks'; readonly requests: Readonly<Record<string, InputRequest>> }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | TaskResult;

interface Question {
  readonly request: InputRequest;
  /** Answers that do not fit its form are refused. */
  readonly checked: boolean;
  readonly answered: PromiseWithResolvers<Json>;
}

/** What one call shares with others of its endpoint. */
interface OpenCallParts {
  /** Throws `overloaded` where too many wait for answers. */
  readonly admit: () => void;
  /** How long a question stays open, milliseconds. */
  readonly waitMs: number;
  readonly faultsOf: FormFaults | undefined;
}

/**
 * One call under way. It is attached to one request of its client at a time, to none while the client thinks, and to
 * none any more once it is a task: then its questions and its end stand there.
 */
export class OpenCall {
  readonly id = randomBytes(16).toString('hex');
  readonly principal: Principal;
  readonly #parts: OpenCallParts;
  readonly #controller = new AbortController();
  readonly #questions = new Map<string, Question>();
  readonly #begin: (own: HeldRequest) => Promise<Outcome>;
  readonly #channel: CallChannel;
  #asked = 0;
  #attached: HeldRequest | undefined;
  #wake: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #outcome: Promise<Outcome>;
  #said: string | undefined;
  #creating: Promise<RunningTask | undefined> | undefined;
  #task: RunningTask | undefined;
  #cancelled: TaskEnd | undefined;
  /** Whose words the answer holds. */
  #source: string | undefined;

  constructor(request: HeldRequest, begin: (own: HeldRequest) => Promise<Outcome>, parts: OpenCallParts) {
    this.principal = request.principal;
    this.#parts = parts;
    this.#begin = begin;
    this.#channel = this.#channelOf(request);
    this.#attached = request;
    this.#outcome = this.#run(this.#channel);
  }

  /** Takes the request's answers and goes on until the call has ended, asks (again) or is a task. */
  async next(request: HeldRequest): Promise<Step> {
    clearTimeout(this.#timer);
    this.#attached = request;
    const onAbort = () => this.#controller.abort(request.signal.reason);
    if (request.signal.aborted) onAbort();
    else request.signal.addEventListener('abort', onAbort, { once: true });
    const late =
      request.tasks === undefined
        ? undefined
        : setTimeout(() => void this.#becomeTask(), request.tasks.afterMs).unref();
    try {
      this.#take(request.channel.inputResponses);
      for (;;) {
        const isOpen = this.#questions.size === 0 && this.#task === undefined;
        const hasEnded = isOpen && (await this.#turn());
        await this.#creating;
        if (this.#task !== undefined) return { kind: 'task', task: this.#task.created };
        if (this.#questions.size > 0) return { kind: 'asks', requests: this.#open() };
        if (hasEnded) return { kind: 'ended', outcome: await this.#outcome };
        // what it asked was taken back before it went out
      }
    } finally {
      clearTimeout(late);
      request.signal.removeEventListener('abort', onAbort);
      this.#attached = undefined;
      this.#creating = undefined;
    }
  }

  /** Throws `answer_invalid`, and goes on waiting, where one of the answers does not fit its form. */
  refuseMisfits(responses: CallChannel['inputResponses']): Promise<void> {
    const checked = [...this.#questions].filter(([, question]) => question.checked);
    const forms = formsOf(Object.fromEntries(checked.map(([key, { request }]) => [key, request])));
    return refuseMisfits(forms, responses, this.#parts.faultsOf);
  }

  expireAfter(milliseconds: number, expire: () => void): void {
    this.#timer = setTimeout(() => {
      expire();
      this.end(expired());
    }, milliseconds).unref();
  }

  end(reason: ToolcribError): void {
    clearTimeout(this.#timer);
    for (const { answered } of this.#questions.values()) answered.reject(reason);
    this.#questions.clear();
    this.#controller.abort(reason);
  }

  #run(channel: CallChannel): Promise<Outcome> {
    const { principal } = this;
    const outcome = this.#begin({ principal, signal: this.#controller.signal, channel });
    outcome.catch(() => undefined);
    return outcome;
  }

  /** Resolves when the call has ended (true), asks or is a task; what it asks in one go goes out together. */
  async #turn(): Promise<boolean> {
    const asked = new Promise<false>((resolve) => {
      this.#wake = () => setImmediate(resolve, false);
    });
    const ended = () => true;
    const hasEnded = await Promise.race([asked, this.#outcome.then(ended, ended)]);
    this.#wake = undefined;
    return hasEnded;
  }

  #open(): Record<string, InputRequest> {
    return Object.fromEntries([...this.#questions].map(([key, { request }]) => [key, request]));
  }

  /** Keys that are no question of this call are passed over; what is left open is asked again. */
  #take(responses: CallChannel['inputResponses'] = {}): void {
    const taken = [...this.#questions].filter(([key]) => Object.hasOwn(responses, key));
    for (const [key, { answered }] of taken) {
      this.#questions.delete(key);
      answered.resolve(responses[key]!);
    }
    if (taken.length > 0) this.#tellQuestions();
  }

  /** The client's side of the whole call: whatever request is attached now; without one, nobody listens. */
  #channelOf({ channel: { progress, log, ...first }, tasks }: HeldRequest): CallChannel {
    const hears = progress !== undefined || tasks !== undefined;
    return {
      ...first,
      ...(hears ? { progress: (...args) => this.#progress(...args) } : {}),
      ...(log === undefined ? {} : { log: async (...args) => this.#attached?.channel.log?.(...args) }),
      ...(tasks === undefined
        ? {}
        : {
            becomeTask: async (message) => (await this.#becomeTask(message)) !== undefined,
            brings: (source) => {
              this.#source = source;
            },
          }),
      ...(canAnswer(first) ? { ask: (request, signal) => this.#ask(request, signal) } : {}),
    };
  }

  async #progress(progress: number, total?: number, message?: string): Promise<void> {
    if (message !== undefined) this.#say(message);
    await this.#attached?.channel.progress?.(progress, total, message);
  }

  #say(message: string): void {
    this.#said = message;
    this.#task?.say(message);
  }

  async #ask(request: InputRequest, signal: AbortSignal, checked = true): Promise<Json> {
    signal.throwIfAborted();
    refuseUndeclared(request, this.#channel.clientCapabilities);
    if (this.#task === undefined) this.#parts.admit();
    this.#asked++;
    const key = `question_${this.#asked}`;
    const answered = Promise.withResolvers<Json>();
    this.#questions.set(key, { request, checked, answered });
    const onAbort = () => {
      this.#questions.delete(key);
      this.#tellQuestions();
      answered.reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#tellQuestions();
    this.#wake?.();
    try {
      return await answered.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #tellQuestions(): void {
    this.#task?.ask(this.#open() as unknown as JsonObject);
  }

  /** Only while a request waits that may be answered with a task. */
  async #becomeTask(message?: string): Promise<RunningTask | undefined> {
    if (message !== undefined) this.#say(message);
    if (this.#task !== undefined) return this.#task;
    const way = this.#attached?.tasks;
    if (way !== undefined && !this.#controller.signal.aborted) this.#creating ??= this.#createTask(way);
    return this.#creating;
  }

  async #createTask(way: TaskWay): Promise<RunningTask | undefined> {
    const work = {
      answer: async (responses: JsonObject) => {
        await this.refuseMisfits(responses);
        this.#take(responses);
      },
      cancel: (reason: ToolcribError) => {
        this.#cancelled ??= { status: 'cancelled', message: reason.message };
        this.#controller.abort(reason);
      },
    };
    // where it cannot be kept, the call stays what it is
    const task = await way.create(work, this.#said).catch(() => undefined);
    if (task === undefined) return undefined;
    this.#task = task;
    if (this.#said !== undefined) task.say(this.#said);
    if (this.#questions.size > 0) this.#tellQuestions();
    void this.#follow(task, way);
    this.#wake?.();
    return task;
  }

  /** To the end of the call: what it asks by an answer of its own is asked in the task, and it is called again. */
  async #follow(task: RunningTask, way: TaskWay): Promise<void> {
    // who fetches it later is to know whose words it holds
    const told = (end: TaskEnd) => (this.#source === undefined ? end : { ...end, source: this.#source });
    try {
      let outcome = await this.#outcome;
      while (isInputRequired(outcome)) {
        const { requests, state, checked = false } = outcome;
        const { inputResponses: _given, requestState: _before, ...channel } = this.#channel;
        const inputResponses = await this.#askAll(requests, checked);
        this.#outcome = this.#run({
          ...channel,
          inputResponses,
          ...(state === undefined ? {} : { requestState: state }),
        });
        outcome = await this.#outcome;
      }
      const end = told(way.endOf(outcome));
      const isDone = end.status === 'completed' && end.content?.['isError'] !== true;
      task.end(isDone ? end : (this.#cancelled ?? end));
    } catch (error) {
      task.end(this.#cancelled ?? told(way.failedWith(error)));
    }
  }

  /** Answers by the caller's own keys: in the task each question has one that comes once. */
  async #askAll(requests: InputRequiredResult['requests'], checked: boolean): Promise<JsonObject> {
    const waiting = new AbortController();
    const signal = AbortSignal.any([this.#controller.signal, waiting.signal]);
    const timer = setTimeout(() => waiting.abort(expired()), this.#parts.waitMs).unref();
    try {
      const answers = Object.entries(requests).map(
        async ([key, request]) => [key, await this.#ask(request, signal, checked)] as const,
      );
      return Object.fromEntries(await Promise.all(answers));
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  }
}

export function expired(): ToolcribError {
  return new ToolcribError('input_expired', 'The call that asked this no longer waits for an answer.');
}
