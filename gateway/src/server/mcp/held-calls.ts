import { randomBytes } from 'node:crypto';
import { ToolcribError } from '../../errors.ts';
import {
  type CallChannel,
  type InputRequest,
  type InputRequiredResult,
  isObject,
  type Json,
  type Principal,
} from '../../operations/index.ts';
import { isSameCaller } from './same-caller.ts';

/** Where the state of an InputRequiredResult names the call that waits for its answers. */
const HELD = 'toolcrib/held';

export interface HeldLimits {
  /** Calls that wait for answers at one time, of all clients and of one. */
  readonly maxCalls: number;
  readonly maxCallsEach: number;
  /** How long a question stays open, milliseconds. */
  readonly waitMs: number;
}

export const DEFAULT_HELD_LIMITS: HeldLimits = { maxCalls: 1000, maxCallsEach: 50, waitMs: 600_000 };

/** One request of a client, as the core takes it. */
export interface HeldRequest {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly channel: CallChannel;
}

/**
 * Since 2026-07-28 a server cannot ask its client in the middle of a call. A call that asks is therefore held: its
 * question goes out as the answer of the request, and the client's retry goes on with the same call. What began
 * once is never begun again; who comes too late, or to another process, gets `input_expired`.
 */
export interface HeldCalls {
  run<T extends { readonly kind: string }>(
    request: HeldRequest,
    begin: (request: HeldRequest) => Promise<T>,
  ): Promise<T | InputRequiredResult>;
  /** Calls that wait for answers. */
  readonly size: number;
  /** Ends every call that waits. */
  close(): void;
}

export function createHeldCalls(limits: HeldLimits = DEFAULT_HELD_LIMITS): HeldCalls {
  const waiting = new Map<string, HeldCall>();
  const admit = ({ id }: Principal): void => {
    const own = [...waiting.values()].filter(({ principal }) => principal.id === id).length;
    if (waiting.size < limits.maxCalls && own < limits.maxCallsEach) return;
    throw new ToolcribError('overloaded', 'Too many calls wait for answers of their clients.');
  };
  const goOn = async (call: HeldCall, request: HeldRequest) => {
    const step = await call.next(request);
    if (step.kind === 'ended') return step.outcome;
    waiting.set(call.id, call);
    call.expireAfter(limits.waitMs, () => waiting.delete(call.id));
    return { kind: 'input_required' as const, requests: step.requests, state: { [HELD]: call.id } };
  };
  return {
    async run<T extends { readonly kind: string }>(
      request: HeldRequest,
      begin: (request: HeldRequest) => Promise<T>,
    ): Promise<T | InputRequiredResult> {
      const id = heldId(request.channel.requestState);
      if (id !== undefined) {
        const call = waiting.get(id);
        if (call === undefined || !isSameCaller(call.principal, request.principal)) throw expired();
        waiting.delete(id);
        return (await goOn(call, request)) as T | InputRequiredResult;
      }
      if (!canAnswer(request.channel)) return begin(request);
      const call = new HeldCall(request.principal, () => admit(request.principal));
      call.begin(request, begin);
      return (await goOn(call, request)) as T | InputRequiredResult;
    },
    get size() {
      return waiting.size;
    },
    close() {
      for (const call of waiting.values()) call.end(expired());
      waiting.clear();
    },
  };
}

type Step =
  | { readonly kind: 'asks'; readonly requests: Readonly<Record<string, InputRequest>> }
  | { readonly kind: 'ended'; readonly outcome: { readonly kind: string } };

interface Question {
  readonly request: InputRequest;
  readonly answered: PromiseWithResolvers<Json>;
}

/** One call under way, attached to one request of its client at a time, or to none while the client thinks. */
class HeldCall {
  readonly id = randomBytes(16).toString('hex');
  readonly principal: Principal;
  readonly #admit: () => void;
  readonly #controller = new AbortController();
  readonly #questions = new Map<string, Question>();
  #asked = 0;
  #attached: HeldRequest | undefined;
  #wake: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #outcome: Promise<{ readonly kind: string }> | undefined;

  constructor(principal: Principal, admit: () => void) {
    this.principal = principal;
    this.#admit = admit;
  }

  begin<T extends { readonly kind: string }>(
    request: HeldRequest,
    begin: (request: HeldRequest) => Promise<T>,
  ): void {
    this.#attached = request;
    this.#outcome = begin({
      ...request,
      signal: this.#controller.signal,
      channel: this.#channel(request.channel),
    });
    this.#outcome.catch(() => undefined);
  }

  /** Takes the request's answers and goes on until the call has ended or asks (again). */
  async next(request: HeldRequest): Promise<Step> {
    clearTimeout(this.#timer);
    this.#attached = request;
    const onAbort = () => this.#controller.abort(request.signal.reason);
    if (request.signal.aborted) onAbort();
    else request.signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.#take(request.channel.inputResponses);
      if (this.#questions.size === 0) await this.#turn();
      if (this.#questions.size > 0) return { kind: 'asks', requests: this.#open() };
      return { kind: 'ended', outcome: await this.#outcome! };
    } finally {
      request.signal.removeEventListener('abort', onAbort);
      this.#attached = undefined;
    }
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

  /** Settles when the call has ended or asks; what it asks in one go goes out together. */
  async #turn(): Promise<void> {
    const asked = new Promise<void>((resolve) => {
      this.#wake = () => setImmediate(resolve);
    });
    await Promise.race([asked, this.#outcome!.then(ignore, ignore)]);
    this.#wake = undefined;
  }

  #open(): Record<string, InputRequest> {
    return Object.fromEntries([...this.#questions].map(([key, { request }]) => [key, request]));
  }

  /** Keys that are no question of this call are passed over; what is left open is asked again. */
  #take(responses: CallChannel['inputResponses'] = {}): void {
    for (const [key, { answered }] of this.#questions) {
      if (!Object.hasOwn(responses, key)) continue;
      this.#questions.delete(key);
      answered.resolve(responses[key]!);
    }
  }

  /** The client's side of the whole call: whatever request is attached now; without one, nobody listens. */
  #channel({ progress, log, ...first }: CallChannel): CallChannel {
    return {
      ...first,
      ...(progress === undefined
        ? {}
        : { progress: async (...args) => this.#attached?.channel.progress?.(...args) }),
      ...(log === undefined ? {} : { log: async (...args) => this.#attached?.channel.log?.(...args) }),
      ask: (request, signal) => this.#ask(request, signal),
    };
  }

  async #ask(request: InputRequest, signal: AbortSignal): Promise<Json> {
    signal.throwIfAborted();
    this.#admit();
    this.#asked++;
    const key = `question_${this.#asked}`;
    const answered = Promise.withResolvers<Json>();
    this.#questions.set(key, { request, answered });
    const onAbort = () => {
      this.#questions.delete(key);
      answered.reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#wake?.();
    try {
      return await answered.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** The call of this process that a state belongs to; undefined where nothing is held. */
export function heldId(state: Json | undefined): string | undefined {
  const id = isObject(state) ? state[HELD] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** A client that declared nothing to ask for is asked nothing: its call needs no holding. */
function canAnswer({ clientCapabilities: declared }: CallChannel): boolean {
  return ['elicitation', 'sampling', 'roots'].some((name) => isObject(declared?.[name]));
}

function expired(): ToolcribError {
  return new ToolcribError('input_expired', 'The call that asked this no longer waits for an answer.');
}

function ignore(): void {}
