import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { AdminEvent, ApprovalEvent, Principal } from '../../operations/index.ts';
import type { Tables } from '../../store/tables.ts';
import { type Actor, checkMayChange, resolveActor, unknownRecord } from './actor.ts';
import type { DirectoryOptions } from './directory.ts';

/** What each part of the directory works with. */
export interface DirectoryContext {
  readonly options: DirectoryOptions;
  readonly database: Kysely<Tables>;
  now(): number;
  actor(by: Principal): Promise<Actor>;
  /**
   * One transaction in which the caller is looked up again; it raises the revision of the organisations named
   * and of other scopes, and reports what was noted once it is committed.
   */
  change<T>(
    by: Principal,
    organisations: readonly (string | null)[],
    work: (change: Change) => Promise<T>,
    scopes?: readonly string[],
  ): Promise<T>;
}

export interface Change {
  readonly transaction: Transaction<Tables>;
  readonly actor: Actor;
  readonly now: number;
  note(type: AdminEvent['type'], organisation: string | null, subject: string, change: string): void;
  /** Agreements that the change ended. */
  noteEnded(events: readonly ApprovalEvent[]): void;
}

export function createContext(options: DirectoryOptions): DirectoryContext {
  const { store, record } = options;
  const now = options.now ?? Date.now;
  return {
    options,
    database: store.database,
    now,
    actor: (by) => resolveActor(store.database, by, now()),
    async change(by, organisations, work, scopes = []) {
      const events: (AdminEvent | ApprovalEvent)[] = [];
      const result = await store.change([...organisations.map(scopeOf), ...scopes], async (transaction) => {
        events.length = 0;
        const actor = await resolveActor(transaction, by, now());
        checkMayChange(actor);
        const note: Change['note'] = (type, organisation, subject, change) =>
          void events.push({ type, organisation: organisation ?? '', principal: by.id, subject, change });
        const noteEnded: Change['noteEnded'] = (ended) => void events.push(...ended);
        return work({ transaction, actor, now: now(), note, noteEnded });
      });
      for (const event of events) await record?.(event);
      return result;
    },
  };
}

/** The revision that every process looks at before it trusts what it knows of an organisation. */
export function scopeOf(organisation: string | null): string {
  return organisation === null ? 'organisation:' : `organisation:${organisation}`;
}

/** `key_` and 128 random bits. */
export function newId(kind: 'org' | 'user' | 'key' | 'connection'): string {
  return `${kind}_${randomBytes(16).toString('hex')}`;
}

/** Throws `record_unknown` for an organisation that is not there; whether it may be reached was asked before. */
export async function checkOrganisation(database: Kysely<Tables>, id: string): Promise<void> {
  const row = await database.selectFrom('organisations').select('id').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw unknownRecord('organisation', id);
}

/** Members whose values say what became of somebody's access; they are names and words, never secrets. */
const TOLD: ReadonlySet<string> = new Set(['roles', 'status']);

/** `changed email, roles (admin)`: the members, and the values of those alone that decide about access. */
export function describeChanges(changes: object): string {
  const members = Object.entries(changes).flatMap(([member, value]) =>
    value === undefined
      ? []
      : [TOLD.has(member) ? `${member} (${[...new Set([value].flat())].join(', ') || 'none'})` : member],
  );
  return `changed ${members.sort().join(', ') || 'nothing'}`;
}
