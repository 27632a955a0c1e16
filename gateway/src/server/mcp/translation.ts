import type { RequestId, Server } from '@modelcontextprotocol/server';
import type { GatewayCore } from '../../gateway-core.ts';
import type { ClientFacts, Principal } from '../../operations/index.ts';
import type { Asking } from '../held/asking.ts';
import type { ListListeners } from './client-facts.ts';
import type { FollowedResources } from './followed-resources.ts';
import type { ClientWishes } from './http/address.ts';
import type { DirectWay, Envelope } from './plain/plain-call.ts';
import type { PublishedLists } from './published-lists.ts';

/** One client: a connection that stays, or one request of the stateless revision. */
export interface McpSession {
  readonly principal: Principal;
  readonly era: 'legacy' | 'modern';
  /** True: the server sends its own change notices until it is closed. */
  readonly stays: boolean;
  /** What its address asks for. */
  readonly wishes?: ClientWishes | undefined;
  /** Told when a request begins; returns what to call when it ends. */
  readonly busy?: () => () => void;
  /** Takes the JSON of a page of tools, in pieces, to put it where the result then has `"tools":[]`. */
  readonly spliceTools?: (json: readonly Uint8Array[], request: RequestId) => void;
  /** Where plain calls are carried out, once a first one has shown the way. */
  readonly direct?: DirectWay;
}

/** What outlives a request: calls that wait for answers, and resources that clients follow. */
export interface EndpointState extends Asking {
  readonly followed: FollowedResources;
  readonly listeners: ListListeners;
}

/** What every request of one client is translated with. */
export interface Translation extends EndpointState {
  readonly core: GatewayCore;
  readonly session: McpSession;
  readonly server: Server;
  readonly client: (envelope: Envelope) => ClientFacts;
}

/** What a client sees, by what it says of itself in a request. */
export type ListsOf = (envelope: Envelope) => PublishedLists;
