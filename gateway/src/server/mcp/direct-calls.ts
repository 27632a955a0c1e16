import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/server';
import { isObject, type JsonObject, type Result } from '../../operations/index.ts';
import { type CallMeta, callMeta } from './call-meta.ts';

type RequestId = string | number;

/** What a `tools/call` asks for. */
export interface AskedCall {
  readonly name: string;
  readonly arguments?: JsonObject;
  readonly meta?: CallMeta;
}

/** How the one server of a connection carries out calls; known when the SDK has let a first one through. */
export interface CallRoute {
  /** The request envelope with which the SDK let it through; absent before 2026-07-28. */
  readonly envelope: Readonly<Record<string, unknown>> | undefined;
  run(call: AskedCall, signal: AbortSignal): Promise<Result>;
  /** The JSON of the answer; undefined when the SDK has to word it. */
  answer(result: Result, call: AskedCall): string | undefined;
}

export interface DirectCallsOptions {
  /** Sends the answer, its result as JSON. */
  readonly send: (id: RequestId, result: string) => void;
  readonly passToSdk: (message: JSONRPCMessage) => void;
}

/**
 * Plain calls of a connection that stays, past the SDK: its schemas look at a request and its answer a dozen
 * times, which takes as long as the call. A request that holds more than name, arguments and the envelope that the
 * SDK has accepted before goes to the SDK; so does what has no plain answer, to be worded there.
 */
export class DirectCalls {
  readonly #send: DirectCallsOptions['send'];
  readonly #passToSdk: DirectCallsOptions['passToSdk'];
  readonly #open = new Map<RequestId, AbortController>();
  readonly #begun = new Map<RequestId, Promise<Result>>();
  #route: CallRoute | undefined;
  #envelope: string | undefined;

  constructor({ send, passToSdk }: DirectCallsOptions) {
    this.#send = send;
    this.#passToSdk = passToSdk;
  }

  /** The SDK has let a call through: the revision is agreed, and its envelope is good for more. */
  open(route: CallRoute): void {
    this.#route = route;
    this.#envelope = envelopeText(route.envelope);
  }

  /** True: the message is dealt with here. */
  take(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return false;
    if (message.method === 'notifications/cancelled') return this.#cancel(message.params);
    const route = this.#route;
    if (route === undefined || message.method !== 'tools/call' || !('id' in message)) return false;
    const call = plainCall(message.params, this.#envelope);
    if (call === undefined || this.#open.has(message.id)) return false;
    void this.#carryOut(message, message.id, call, route);
    return true;
  }

  /** The call of this request, if it began here; told once. */
  begun(id: RequestId): Promise<Result> | undefined {
    const running = this.#begun.get(id);
    if (running !== undefined) this.#begun.delete(id);
    return running;
  }

  /** Ends what is open, with the SDK's own reason. */
  close(): void {
    const reason = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const controller of this.#open.values()) controller.abort(reason);
    this.#open.clear();
    this.#begun.clear();
    this.#route = undefined;
  }

  async #carryOut(message: JSONRPCMessage, id: RequestId, call: AskedCall, route: CallRoute): Promise<void> {
    const controller = new AbortController();
    this.#open.set(id, controller);
    const running = route.run(call, controller.signal);
    let answer: string | undefined;
    try {
      answer = route.answer(await running, call);
    } catch {
      // the SDK finds the same error in `begun`
    }
    if (controller.signal.aborted) return;
    this.#open.delete(id);
    if (answer !== undefined) {
      this.#send(id, answer);
      return;
    }
    this.#begun.set(id, running);
    this.#passToSdk(message);
  }

  /** A cancelled request gets no answer. */
  #cancel(params: unknown): boolean {
    if (!isObject(params)) return false;
    const { requestId, reason } = params;
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return false;
    if (reason !== undefined && typeof reason !== 'string') return false;
    const controller = this.#open.get(requestId);
    if (controller === undefined) return false;
    this.#open.delete(requestId);
    controller.abort(reason);
    return true;
  }
}

/** Undefined for a request of which a schema would check, change or lift more than its name and arguments. */
function plainCall(params: unknown, envelope: string | undefined): AskedCall | undefined {
  if (!isObject(params)) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  for (const member in params) {
    if (member !== 'name' && member !== 'arguments' && member !== '_meta') return undefined;
  }
  if (typeof name !== 'string' || !isPlainMeta(meta) || envelopeText(meta) !== envelope) return undefined;
  const asked = meta === undefined ? { name } : { name, meta: callMeta(meta) };
  if (args === undefined) return asked;
  return isObject(args) && !Object.hasOwn(args, '__proto__') ? { ...asked, arguments: args } : undefined;
}

/** Without what a call's own progress and log hang on. */
function isPlainMeta(meta: unknown): meta is JsonObject | undefined {
  if (meta === undefined) return true;
  return isObject(meta) && !Object.hasOwn(meta, 'progressToken') && !Object.hasOwn(meta, LOG_LEVEL_META_KEY);
}

/** Two envelopes with the same text are the same to the SDK. */
function envelopeText(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (meta === undefined) return undefined;
  const members = [PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY].map(
    (key) => (Object.hasOwn(meta, key) ? meta[key] : undefined),
  );
  return members.every((member) => member === undefined) ? undefined : JSON.stringify(members);
}
