import type { CallEvent } from '../../../src/operations/index.ts';
import type { Store } from '../../../src/store/store.ts';

/** An organisation to hang records on. */
export async function addOrganisation(store: Store, id: string): Promise<void> {
  await store.database
    .insertInto('organisations')
    .values({ id, name: id, tools: null, features: '[]', created_at: 0 })
    .execute();
}

/** The start of a call; `end` makes its end. */
export function callStarted(call: string, more: Partial<CallEvent> = {}): CallEvent {
  return {
    type: 'call-started',
    call,
    principal: 'ann',
    organisation: 'acme',
    tool: 'greenhouse_list_candidates',
    operation: 'list_candidates',
    source: 'greenhouse',
    access: 'read',
    ...more,
  };
}

export function callEnded(call: string, more: Partial<CallEvent> = {}): CallEvent {
  return { ...callStarted(call), type: 'call-completed', durationMs: 12.5, ...more };
}
