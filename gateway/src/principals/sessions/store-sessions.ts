import type { Selectable } from 'kysely';
import type { Store } from '../../store/store.ts';
import type { SessionTable } from '../../store/tables.ts';
import { readCredential } from './read-credential.ts';
import { giveWay } from './session-holder.ts';
import type { SessionRecord, SessionRecords } from './session-record.ts';

const MOST_LISTED = 1_000;

/** Sessions that every process of the store knows, and that outlive a restart. */
export function createStoreSessions(store: Store): SessionRecords {
  const { database } = store;
  return {
    async insert({ id, credential, approver, createdAt, usedAt }, { createdAfter, usedAfter }) {
      await store.transaction(async (open) => {
        await open
          .deleteFrom('sessions')
          .where((where) =>
            where.or([where('created_at', '<=', createdAfter), where('used_at', '<=', usedAfter)]),
          )
          .execute();
        const rows = await open
          .selectFrom('sessions')
          .selectAll()
          .where('credential', 'like', `{"kind":"${credential.kind}"%`)
          .execute();
        const ended = giveWay(
          rows.flatMap((row) => recordOf(row) ?? []),
          { credential },
        );
        if (ended.length > 0) await open.deleteFrom('sessions').where('id', 'in', ended).execute();
        await open
          .insertInto('sessions')
          .values({
            id,
            credential: JSON.stringify(credential),
            approver: approver === undefined ? null : JSON.stringify(approver),
            created_at: createdAt,
            used_at: usedAt,
          })
          .execute();
      });
    },
    async get(id, { createdAfter, usedAfter }) {
      const row = await database
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', id)
        .where('created_at', '>', createdAfter)
        .where('used_at', '>', usedAfter)
        .executeTakeFirst();
      return row && recordOf(row);
    },
    async list({ createdAfter, usedAfter }) {
      const rows = await database
        .selectFrom('sessions')
        .selectAll()
        .where('created_at', '>', createdAfter)
        .where('used_at', '>', usedAfter)
        .orderBy('used_at', 'desc')
        .orderBy('id')
        .limit(MOST_LISTED)
        .execute();
      return rows.flatMap((row) => recordOf(row) ?? []);
    },
    async use(id, at) {
      await database
        .updateTable('sessions')
        .set({ used_at: at })
        .where('id', '=', id)
        .where('used_at', '<', at)
        .execute();
    },
    async remove(id) {
      const removed = await database
        .deleteFrom('sessions')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return removed !== undefined;
    },
  };
}

/** Undefined where the row cannot be read: then nobody is signed in by it. */
function recordOf(row: Selectable<SessionTable>): SessionRecord | undefined {
  const credential = readCredential(row.credential);
  const approver = row.approver === null ? undefined : readCredential(row.approver);
  if (credential === undefined || (row.approver !== null && approver === undefined)) return undefined;
  return {
    id: row.id,
    credential,
    ...(approver === undefined ? {} : { approver }),
    createdAt: Number(row.created_at),
    usedAt: Number(row.used_at),
  };
}
