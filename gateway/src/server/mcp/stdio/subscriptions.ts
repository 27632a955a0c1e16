import {
  type JSONRPCMessage,
  type RequestId,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../../operations/index.ts';
import { type FollowedResources, isListen, listenedResources } from '../followed-resources.ts';
import { cancelledRequest, isRequestId } from '../request-id.ts';

interface Subscription {
  /** A cancellation may come before. */
  isGranted: boolean;
  /** Each ends the following of one resource. */
  readonly followings: readonly (() => void)[];
}

export interface SubscriptionsOptions {
  readonly server: { readonly name: string; readonly version: string };
  readonly followed: FollowedResources;
  readonly principal: Principal;
}

/** The `subscriptions/listen` of a connection (MCP 2026-07-28), and the resources that they follow until they end. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #open = new Map<RequestId, Subscription>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** A message of the client. */
  received(message: JSONRPCMessage): void {
    if ('id' in message && message.id !== undefined && isListen(message)) this.#begin(message.id, message);
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) this.#end(cancelled);
  }

  /** A notification of ours. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return;
    const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY];
    const subscription = isRequestId(id) ? this.#open.get(id) : undefined;
    if (subscription !== undefined) subscription.isGranted = true;
  }

  /** Ends all; for each that was granted its id and, as JSON, the result that says so (`SubscriptionsListenResult`). */
  close(): (readonly [id: RequestId, result: string])[] {
    const granted = [...this.#open].filter(([, { isGranted }]) => isGranted).map(([id]) => id);
    for (const id of [...this.#open.keys()]) this.#end(id);
    const { name, version } = this.#options.server;
    return granted.map((id) => {
      const _meta = { [SUBSCRIPTION_ID_META_KEY]: id, [SERVER_INFO_META_KEY]: { name, version } };
      return [id, JSON.stringify({ resultType: 'complete', _meta })];
    });
  }

  #begin(id: RequestId, message: JSONRPCMessage): void {
    const { followed, principal } = this.#options;
    const followings = listenedResources(message).map((uri) => followed.follow(uri, principal));
    // the same id once more: what both follow goes on
    this.#end(id);
    this.#open.set(id, { isGranted: false, followings });
  }

  #end(id: RequestId): void {
    for (const end of this.#open.get(id)?.followings ?? []) end();
    this.#open.delete(id);
  }
}
