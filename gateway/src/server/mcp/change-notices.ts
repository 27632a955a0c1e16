import type { Server } from '@modelcontextprotocol/server';
import type { Audience, Change, GatewayCore, ResourceChange } from '../../gateway-core.ts';
import { type Principal, personKey } from '../../operations/index.ts';

/** One connection or stream that is told of changes. */
export interface ChangeListener {
  /** As it is at the time of a notice: access may have been taken away since the resource was followed. */
  readonly principal: Principal;
  /** Whether it follows this resource. */
  wants(uri: string): boolean;
  tell(change: Change): void;
}

/**
 * Tells a listener of lists that changed for it, and of changed resources that it follows and may read. Ends by the
 * returned function.
 * @param onError told where nobody could say whether it may read; it is not told of the change then
 */
export function forwardChanges(
  core: Pick<GatewayCore, 'onChange' | 'mayRead'>,
  listener: ChangeListener,
  onError: (error: Error) => void = () => undefined,
): () => void {
  /** Notices that wait for grants: one more of the same resource would say nothing new. */
  const waiting = new Set<string>();
  const forwardResource = async (change: ResourceChange): Promise<void> => {
    const key = JSON.stringify([change.source, change.resource]);
    if (waiting.has(key)) return;
    waiting.add(key);
    const may = await core.mayRead(change.source, listener.principal).finally(() => waiting.delete(key));
    if (may && listener.wants(change.resource)) listener.tell(change);
  };
  return core.onChange((change, audience) => {
    if (!includes(audience, listener.principal)) return;
    if (typeof change === 'string') listener.tell(change);
    else if (concerns(change, listener)) forwardResource(change).catch(onError);
  });
}

function includes(audience: Audience | undefined, { id, organisation }: Principal): boolean {
  if (audience === undefined) return true;
  return 'principal' in audience ? audience.principal === id : audience.organisation === organisation;
}

function concerns({ resource, principal }: ResourceChange, listener: ChangeListener): boolean {
  return listener.wants(resource) && (principal === undefined || principal === personKey(listener.principal));
}

/** Sends one notice on a connection that is open. */
export function sendNotice(server: Server, change: Change): void {
  if (server.transport === undefined) return;
  void notice(server, change).catch((error: unknown) => server.onerror?.(error as Error));
}

function notice(server: Server, change: Change): Promise<void> {
  switch (change) {
    case 'tools':
      return server.sendToolListChanged();
    case 'prompts':
      return server.sendPromptListChanged();
    case 'resources':
      return server.sendResourceListChanged();
    default:
      return server.sendResourceUpdated({ uri: change.resource });
  }
}
