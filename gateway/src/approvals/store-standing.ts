import { sql, type Transaction } from 'kysely';
import type { StandingApproval } from '../operations/index.ts';
import { isOneOf } from '../store/one-of.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { type ApprovalFilter, type ApprovalRecords, type SkillKey, skillKeyOf } from './records.ts';
import { standingOf, standingRowOf } from './rows.ts';

type StandingRecords = Pick<
  ApprovalRecords,
  'findStanding' | 'findAgreements' | 'listStanding' | 'getStanding' | 'revokeStanding'
>;

/**
 * What holds from then on, in the store.
 * @param scope raised by each revocation, so that every process is told
 */
export function createStoreStanding(store: Store, scope: string): StandingRecords {
  const { database } = store;
  return {
    async findStanding({ principal, organisation, tool, definition, argumentsHash }) {
      const row = await database
        .selectFrom('standing_approvals')
        .selectAll()
        .where('principal_id', '=', principal)
        .where('tool', '=', tool)
        .where('definition', '=', definition)
        .where('skill', 'is', null)
        .where(ofOrganisation(organisation ?? null))
        .where((where) =>
          where.or([where('arguments_hash', 'is', null), where('arguments_hash', '=', argumentsHash)]),
        )
        // the one about these arguments holds under more policies than the one about all
        .orderBy(sql`arguments_hash is null`)
        .limit(1)
        .executeTakeFirst();
      return row && standingOf(row);
    },
    async findAgreements({ principal, organisation, source, skill }) {
      const rows = await database
        .selectFrom('standing_approvals')
        .selectAll()
        .where('principal_id', '=', principal)
        .where('source', '=', source)
        .where('skill', '=', skill)
        .where(ofOrganisation(organisation ?? null))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(20)
        .execute();
      return rows.map(standingOf);
    },
    async listStanding({ organisation, principal, sources, limit }) {
      let query = database
        .selectFrom('standing_approvals')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id');
      if (principal !== undefined) query = query.where('principal_id', '=', principal);
      if (organisation !== undefined) query = query.where(ofOrganisation(organisation));
      if (sources !== undefined) query = query.where(isOneOf('source', sources));
      return (await query.limit(limit).execute()).map(standingOf);
    },
    async getStanding(id) {
      const row = await database
        .selectFrom('standing_approvals')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && standingOf(row);
    },
    revokeStanding: (id) =>
      store.change([scope], async (transaction) => {
        const gone = await transaction
          .deleteFrom('standing_approvals')
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        const key = gone && skillKeyOf(standingOf(gone));
        if (key !== undefined) await forget(transaction, key);
        return gone !== undefined;
      }),
  };
}

/** Within the decision that gave it. */
export async function insertStanding(
  transaction: Transaction<Tables>,
  standing: StandingApproval,
): Promise<void> {
  const key = skillKeyOf(standing);
  if (key !== undefined) await forget(transaction, key);
  await transaction.insertInto('standing_approvals').values(standingRowOf(standing)).execute();
}

/** Rows of one organisation; null: of none. */
export function ofOrganisation(organisation: ApprovalFilter['organisation'] & (string | null)) {
  return organisation === null
    ? sql<boolean>`organisation_id is null`
    : sql<boolean>`organisation_id = ${organisation}`;
}

/** Every agreement to a skill, in whatever version. */
async function forget(
  transaction: Transaction<Tables>,
  { principal, organisation, source, skill }: SkillKey,
): Promise<void> {
  await transaction
    .deleteFrom('standing_approvals')
    .where('principal_id', '=', principal)
    .where('source', '=', source)
    .where('skill', '=', skill)
    .where(ofOrganisation(organisation ?? null))
    .execute();
}
