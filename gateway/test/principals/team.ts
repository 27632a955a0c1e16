import type { AdminEvent, ApprovalEvent, Principal } from '../../src/operations/index.ts';
import { LOCAL_PRINCIPAL } from '../../src/operations/index.ts';
import type { SourceAccess } from '../../src/policy/source-access.ts';
import { createDirectory, type Directory, type DirectoryOptions } from '../../src/principals/index.ts';
import type { Store } from '../../src/store/store.ts';

/** Two providers whose accounts everybody connects, and one API with an account for all. */
export const SOURCES: Readonly<Record<string, SourceAccess>> = Object.freeze({
  greenhouse: {
    category: 'ats',
    connections: 'records',
    whenUnauthenticated: 'hide',
    integration: 'greenhouse',
  },
  zoho: {
    category: 'ats',
    connections: 'records',
    whenUnauthenticated: 'hide',
    regions: ['us', 'eu'],
    integration: 'zoho-recruit',
  },
  weather: { category: 'api', connections: 'shared', whenUnauthenticated: 'hide' },
});

export const DEFAULTS: DirectoryOptions['defaults'] = {
  organisation: { '*': 'read-only' },
  user: { '*': 'read-only' },
};

/** A moment that tests begin at. */
export const START = Date.UTC(2026, 10, 21, 12);

export interface Team {
  readonly store: Store;
  readonly directory: Directory;
  readonly events: AdminEvent[];
  /** Of agreements that ended with somebody. */
  readonly ended: ApprovalEvent[];
  /** Moved by tests. */
  readonly clock: { now: number };
}

export const OPERATOR = LOCAL_PRINCIPAL;

export const userOf = (id: string, organisation = 'acme', more: Partial<Principal> = {}): Principal => ({
  id,
  kind: 'user',
  maxAccess: 'delete',
  roles: [],
  organisation,
  ...more,
});

export const ADA = userOf('ada');
export const BEN = userOf('ben');
export const EVE = userOf('eve', 'rival');

/** Organisation acme with its admin ada and the user ben, and rival with its admin eve. */
export async function createTeam(store: Store, options: Partial<DirectoryOptions> = {}): Promise<Team> {
  const events: AdminEvent[] = [];
  const ended: ApprovalEvent[] = [];
  const clock = { now: START };
  const directory = createDirectory({
    store,
    defaults: DEFAULTS,
    sources: () => SOURCES,
    record: (event) => void ('change' in event ? events.push(event) : ended.push(event)),
    now: () => clock.now,
    ...options,
  });
  const { organisations, users } = directory;
  await organisations.create(OPERATOR, { id: 'acme', name: 'Acme' });
  await organisations.create(OPERATOR, { id: 'rival', name: 'Rival' });
  await users.create(OPERATOR, { id: 'ada', organisation: 'acme', name: 'Ada', roles: ['admin'] });
  await users.create(OPERATOR, { id: 'ben', organisation: 'acme', name: 'Ben', subject: 'idp|ben' });
  await users.create(OPERATOR, { id: 'eve', organisation: 'rival', name: 'Eve', roles: ['admin'] });
  events.length = 0;
  return { store, directory, events, ended, clock };
}
