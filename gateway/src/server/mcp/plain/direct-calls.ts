import { type JSONRPCMessage, type RequestId, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { cancelledRequest } from '../request-id.ts';
import {
  type AskedCall,
  type Begun,
  type CallRoute,
  type DirectWay,
  envelopeText,
  plainCall,
} from './plain-call.ts';

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
export class DirectCalls implements DirectWay {
  readonly #send: DirectCallsOptions['send'];
  readonly #passToSdk: DirectCallsOptions['passToSdk'];
  readonly #open = new Map<RequestId, AbortController>();
  readonly #begun = new Map<RequestId, Begun>();
  #route: CallRoute | undefined;
  #envelope: string | undefined;

  constructor({ send, passToSdk }: DirectCallsOptions) {
    this.#send = send;
    this.#passToSdk = passToSdk;
  }

  open(route: CallRoute): void {
    this.#route = route;
    this.#envelope = envelopeText(route.envelope);
  }

  /** True: the message is dealt with here. */
  take(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return false;
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) return this.#cancel(cancelled, message.params?.['reason']);
    const route = this.#route;
    if (route === undefined || message.method !== 'tools/call' || !('id' in message)) return false;
    const plain = plainCall(message.params);
    if (plain === undefined || plain.envelope !== this.#envelope || this.#open.has(message.id)) return false;
    void this.#carryOut(message, message.id, plain.call, route);
    return true;
  }

  begun(id: RequestId): Begun | undefined {
    const begun = this.#begun.get(id);
    this.#begun.delete(id);
    return begun;
  }

  /** Ends what is open, with the SDK's own reason. */
  close(): void {
    const reason = connectionClosed();
    for (const controller of this.#open.values()) controller.abort(reason);
    this.#open.clear();
    this.#begun.clear();
    this.#route = undefined;
  }

  async #carryOut(message: JSONRPCMessage, id: RequestId, call: AskedCall, route: CallRoute): Promise<void> {
    const controller = new AbortController();
    this.#open.set(id, controller);
    const result = route.run(call, controller.signal);
    let answer: string | undefined;
    try {
      answer = route.answer(await result, call);
    } catch {
      // the SDK finds the same error in `begun`
    }
    if (controller.signal.aborted) return;
    this.#open.delete(id);
    if (answer !== undefined) {
      this.#send(id, answer);
      return;
    }
    this.#begun.set(id, { result });
    this.#passToSdk(message);
  }

  /** A cancelled request gets no answer. */
  #cancel(id: RequestId, reason: unknown): boolean {
    if (reason !== undefined && typeof reason !== 'string') return false;
    const controller = this.#open.get(id);
    if (controller === undefined) return false;
    this.#open.delete(id);
    controller.abort(reason);
    return true;
  }
}

/** The SDK's own reason for calls whose client is gone. */
export function connectionClosed(): SdkError {
  return new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
}
