import {
  type JSONRPCMessage,
  type RequestId,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import { isObject } from '../../../operations/index.ts';

/** The `subscriptions/listen` of a connection that were granted and have not ended. */
export class OpenSubscriptions {
  readonly #server: { readonly name: string; readonly version: string };
  /** Asked for; whether it was granted. A cancellation may stand before that. */
  readonly #listens = new Map<RequestId, boolean>();

  constructor({ name, version }: { readonly name: string; readonly version: string }) {
    this.#server = { name, version };
  }

  received(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.method === 'subscriptions/listen') this.#listens.set(message.id, false);
    if (message.method !== 'notifications/cancelled') return;
    const id = isObject(message.params) ? message.params['requestId'] : undefined;
    if (isId(id)) this.#listens.delete(id);
  }

  /** A notification of ours. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return;
    const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY];
    if (isId(id) && this.#listens.has(id)) this.#listens.set(id, true);
  }

  /** Each id with the result, as JSON, that ends it because we stop (MCP 2026-07-28, `SubscriptionsListenResult`). */
  *endings(): Iterable<readonly [id: RequestId, result: string]> {
    for (const [id, isGranted] of this.#listens) {
      const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: this.#server };
      if (isGranted) yield [id, JSON.stringify({ resultType: 'complete', _meta })];
    }
    this.#listens.clear();
  }
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
