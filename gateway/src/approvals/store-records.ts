import { randomBytes } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { ApprovalState } from '../operations/index.ts';
import { isOneOf } from '../store/one-of.ts';
import type { Store } from '../store/store.ts';
import type { ApprovalTable, Tables } from '../store/tables.ts';
import { type ApprovalRecords, PAUSE_MS, type StoredApproval } from './records.ts';
import { approvalOf, rowOf } from './rows.ts';
import { createStoreStanding, insertStanding, ofOrganisation } from './store-standing.ts';

/** What every process watches: raised by each change that somebody may wait for. */
const SCOPE = 'approvals';
const OPEN: readonly ApprovalState[] = ['pending', 'approved'];
const UNTOLD: readonly ApprovalState[] = ['denied', 'expired', 'stale'];

/** Approvals in the store, shared by all its processes. Every change of state is one conditional UPDATE. */
export function createStoreRecords(store: Store): ApprovalRecords {
  const { database } = store;
  const standing = createStoreStanding(store, SCOPE);
  /** One conditional update of one approval, of which every process is told when it happened. */
  const change = (
    id: string,
    set: Partial<Selectable<ApprovalTable>>,
    from: readonly ApprovalState[],
    more: { readonly openAt?: number; readonly round?: number } = {},
    also?: (transaction: Transaction<Tables>) => Promise<unknown>,
  ): Promise<StoredApproval | undefined> =>
    store.change([SCOPE], async (transaction) => {
      let query = transaction
        .updateTable('approvals')
        .set(set)
        .where('id', '=', id)
        .where('state', 'in', [...from]);
      if (more.openAt !== undefined) query = query.where('expires_at', '>', more.openAt);
      if (more.round !== undefined) query = query.where('rounds', '=', more.round);
      const row = await query.returningAll().executeTakeFirst();
      if (row === undefined) return undefined;
      await also?.(transaction);
      return approvalOf(row);
    });
  return {
    async insert(approval) {
      await store.change([SCOPE], (transaction) =>
        transaction.insertInto('approvals').values(rowOf(approval)).execute(),
      );
    },
    async get(id) {
      const row = await database.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
      return row && approvalOf(row);
    },
    async list(filter) {
      let query = database.selectFrom('approvals').selectAll().orderBy('created_at', 'desc').orderBy('id');
      if (filter.states !== undefined) query = query.where('state', 'in', [...filter.states]);
      if (filter.principal !== undefined) query = query.where('principal_id', '=', filter.principal);
      if (filter.organisation !== undefined) query = query.where(ofOrganisation(filter.organisation));
      if (filter.sources !== undefined) query = query.where(isOneOf('source', filter.sources));
      if (filter.tool !== undefined) query = query.where('tool', '=', filter.tool);
      if (filter.source !== undefined) query = query.where('source', '=', filter.source);
      const { behind } = filter;
      if (behind !== undefined) {
        query = query.where((on) =>
          on.or([
            on('created_at', '<', behind.createdAt),
            on.and([on('created_at', '=', behind.createdAt), on('id', '>', behind.id)]),
          ]),
        );
      }
      return (await query.limit(filter.limit).execute()).map(approvalOf);
    },
    async countPending({ principal, organisation, sources }, now) {
      let query = database
        .selectFrom('approvals')
        .select((on) => on.fn.countAll().as('count'))
        .where('state', '=', 'pending')
        .where('expires_at', '>', now);
      if (principal !== undefined) query = query.where('principal_id', '=', principal);
      if (organisation !== undefined) query = query.where(ofOrganisation(organisation));
      if (sources !== undefined) query = query.where(isOneOf('source', sources));
      const { count } = await query.executeTakeFirstOrThrow();
      return Number(count);
    },
    async findFor({ principal, organisation, run, tool, source, operation, argumentsHash }, since) {
      const rows = await database
        .selectFrom('approvals')
        .selectAll()
        .where('principal_id', '=', principal)
        .where('tool', '=', tool)
        .where('source', '=', source)
        .where('operation', '=', operation)
        .where('arguments_hash', '=', argumentsHash)
        .where('run', '=', run)
        .where('created_at', '>', since)
        .where(ofOrganisation(organisation ?? null))
        .where((where) =>
          where.or([
            where('state', 'in', [...OPEN]),
            where.and([where('state', 'in', [...UNTOLD]), where('told_at', 'is', null)]),
          ]),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(20)
        .execute();
      return rows.map(approvalOf);
    },
    decide: (id, { state, at, by, channel, note, edited }, given) =>
      change(
        id,
        {
          state,
          decided_at: at,
          decided_by: by,
          channel,
          note: note ?? null,
          edited: edited === undefined ? null : JSON.stringify(edited),
        },
        ['pending'],
        { openAt: at },
        given && ((transaction) => insertStanding(transaction, given)),
      ),
    use: (id, call, now) =>
      change(id, { state: 'executing', used_call: call }, ['approved'], { openAt: now }),
    goOn: (id, round, call) => change(id, { rounds: round + 1, used_call: call }, ['executing'], { round }),
    pause: (id) => change(id, { used_call: null }, ['executing']),
    finish: (id, state) => change(id, { state, edited: null }, ['executing']),
    end: (id, from, state) => change(id, { state, edited: null }, from),
    async tell(id, now) {
      const told = await database
        .updateTable('approvals')
        .set({ told_at: now })
        .where('id', '=', id)
        .where('told_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return told !== undefined;
    },
    async sweep(now) {
      const due = await database
        .selectFrom('approvals')
        .select('id')
        .where((where) =>
          where.or([
            where.and([where('state', 'in', [...OPEN]), where('expires_at', '<=', now)]),
            where.and([where('state', '=', 'executing'), ended(now)]),
          ]),
        )
        .limit(200)
        .execute();
      if (due.length === 0) return [];
      const ids = due.map(({ id }) => id);
      return store.change([SCOPE], async (transaction) => {
        const expired = await transaction
          .updateTable('approvals')
          .set({ state: 'expired', edited: null })
          .where('id', 'in', ids)
          .where('state', 'in', [...OPEN])
          .where('expires_at', '<=', now)
          .returningAll()
          .execute();
        const failed = await transaction
          .updateTable('approvals')
          .set({ state: 'failed', edited: null })
          .where('id', 'in', ids)
          .where('state', '=', 'executing')
          .where(ended(now))
          .returningAll()
          .execute();
        return [...expired, ...failed].map(approvalOf);
      });
    },
    async prune(before) {
      const { numDeletedRows } = await database
        .deleteFrom('approvals')
        .where('created_at', '<', before)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
    ...standing,
    signingKey: (name) => signingKey(store, name),
    onChange: (listener) =>
      store.onChange((scope) => {
        if (scope === SCOPE || scope === '*') listener();
      }),
  };
}

/** The first process to ask makes it; the others find it. */
async function signingKey({ database }: Store, name: string): Promise<Uint8Array> {
  await database
    .insertInto('signing_keys')
    .values({ name, secret: randomBytes(32).toString('hex'), created_at: Date.now() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { secret } = await database
    .selectFrom('signing_keys')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return Buffer.from(secret, 'hex');
}

/**
 * The call that used it has its terminal event: whoever carried it out did not come to say how it went. Or its client
 * never answered a question.
 */
function ended(now: number) {
  return sql<boolean>`((used_call is null and expires_at <= ${now - PAUSE_MS}) or used_call in (
    select call_id from events where type in ('call-completed', 'call-failed') and call_id = approvals.used_call
  ))`;
}
