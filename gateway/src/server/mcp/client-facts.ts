import { CLIENT_INFO_META_KEY, type Server } from '@modelcontextprotocol/server';
import { type ClientFacts, isObject, type Principal } from '../../operations/index.ts';
import { isListen } from './followed-resources.ts';
import type { ClientWishes } from './http/address.ts';

/** Clients that listen for changes of the tool list at this moment (MCP 2026-07-28). */
export interface ListListeners {
  /** The returned function ends it, once. */
  open(principal: Principal, client: string): () => void;
  has(principal: Principal, client: string): boolean;
}

export function createListListeners(): ListListeners {
  const open = new Map<string, number>();
  const keyOf = ({ organisation = '', id }: Principal, client: string) =>
    JSON.stringify([organisation, id, client]);
  return {
    open(principal, client) {
      const key = keyOf(principal, client);
      open.set(key, (open.get(key) ?? 0) + 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      };
    },
    has: (principal, client) => open.has(keyOf(principal, client)),
  };
}

export interface ClientConnection {
  readonly principal: Principal;
  /** A connection that stays is told of changes without having asked. */
  readonly stays: boolean;
  /** What keeps its conversation apart from others of the same principal. */
  readonly id: string | undefined;
  readonly wishes: ClientWishes | undefined;
}

const MAX_NAME = 128;

/** What is known of the client of one request; its own word, which decides nothing but the shape of lists and answers. */
export function clientFacts(
  server: Pick<Server, 'getClientVersion'>,
  envelope: Readonly<Record<string, unknown>> | undefined,
  { principal, stays, id, wishes }: ClientConnection,
  listeners: ListListeners,
): ClientFacts {
  const name = nameOf(envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
  return {
    followsLists: stays || listeners.has(principal, name ?? ''),
    ...(name === undefined ? {} : { name }),
    ...wishes,
    ...(id === undefined ? {} : { session: id }),
  };
}

function nameOf(info: unknown): string | undefined {
  const name = isObject(info) ? info['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name.slice(0, MAX_NAME) : undefined;
}

/** The name of a client whose `subscriptions/listen` asks for changes of the tool list; undefined: it does not ask. */
export function listListenerOf(message: unknown): string | undefined {
  if (!isListen(message)) return undefined;
  const { params } = message;
  if (!isObject(params) || !isObject(params['notifications'])) return undefined;
  if (params['notifications']['toolsListChanged'] !== true) return undefined;
  const meta = params['_meta'];
  return (isObject(meta) ? nameOf(meta[CLIENT_INFO_META_KEY]) : undefined) ?? '';
}
