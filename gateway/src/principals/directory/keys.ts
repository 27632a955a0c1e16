import type { Kysely, Selectable } from 'kysely';
import { ToolcribError } from '../../errors.ts';
import { ACCESS_LEVELS } from '../../operations/index.ts';
import type { ApiKeyTable, Tables } from '../../store/tables.ts';
import { hashApiKey, hintOf, newApiKey } from '../authentication/api-key.ts';
import {
  type Actor,
  checkAdmin,
  checkOperator,
  isAdmin,
  listedOrganisation,
  mayReach,
  unknownRecord,
} from './actor.ts';
import type { Keys } from './directory.ts';
import { type DirectoryContext, newId } from './directory-context.ts';
import { checkInput, keyInput } from './inputs.ts';
import type { CreatedKey, KeyAccess } from './records.ts';
import { keyOf } from './rows-to-records.ts';
import { reachableUser } from './users.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const LONGEST_DAYS = 366;

export function createKeys(context: DirectoryContext): Keys {
  const { database, options } = context;
  return {
    async list(by, filter = {}) {
      const actor = await context.actor(by);
      let query = database.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
      const organisation = listedOrganisation(actor, filter.organisation);
      if (organisation !== undefined) query = query.where('organisation_id', '=', organisation);
      if (filter.user !== undefined) query = query.where('user_id', '=', filter.user);
      if (actor.kind === 'user' && !actor.admin) query = query.where('user_id', '=', actor.id);
      const now = context.now();
      return (await query.execute()).map((row) => keyOf(row, now));
    },
    async get(by, id) {
      return keyOf(await reachableKey(database, await context.actor(by), id), context.now());
    },
    async create(by, given) {
      const input = checkInput(keyInput, given);
      const longest = options.maxKeyDays ?? LONGEST_DAYS;
      const days = input.expiresInDays ?? Math.min(DEFAULT_DAYS, longest);
      if (days > longest) {
        throw new ToolcribError('record_invalid', `A key lives ${longest} days at most.`, {
          pointer: '/expiresInDays',
        });
      }
      checkSources(options.sources(), input.sources ?? []);
      const { organisation_id: organisation } = await reachableUser(
        database,
        await context.actor(by),
        input.user,
      );
      if (organisation === null) throw withoutOrganisation(input.user);
      return context.change(by, [organisation], async ({ transaction, actor, now, note }) => {
        const user = await reachableUser(transaction, actor, input.user);
        checkAdmin(actor, 'create keys');
        // or a model with an admin's key could make itself one
        if (input.purpose !== undefined) checkOperator(actor, 'create keys that decide approvals');
        if (user.organisation_id !== organisation) throw withoutOrganisation(input.user);
        const maxAccess = input.maxAccess ?? mostFor(actor);
        checkNotMore(actor, maxAccess);
        const { created, row } = newKeyRow(
          { organisation, user: user.id, name: input.name, maxAccess },
          now,
          days,
          input.purpose,
        );
        const sources = input.sources == null ? null : JSON.stringify([...new Set(input.sources)]);
        await transaction
          .insertInto('api_keys')
          .values({ ...row, sources })
          .execute();
        note('key-changed', organisation, row.id, createdFor(input, maxAccess));
        return { record: keyOf({ ...row, sources }, now), key: created };
      });
    },
    async revoke(by, id) {
      const { organisation_id: organisation } = await reachableKey(database, await context.actor(by), id);
      return context.change(by, [organisation], async ({ transaction, actor, now, note }) => {
        const row = await reachableKey(transaction, actor, id);
        if (row.revoked_at !== null) return keyOf(row, now);
        await transaction.updateTable('api_keys').set({ revoked_at: now }).where('id', '=', id).execute();
        note('key-changed', organisation, id, 'revoked');
        return keyOf({ ...row, revoked_at: now }, now);
      });
    },
  };
}

/** Whose it is and what it may: ids and names of sources. */
function createdFor({ user, sources, purpose }: Parameters<Keys['create']>[1], maxAccess: KeyAccess): string {
  const may = purpose === undefined ? `at most ${maxAccess}` : 'decides approvals';
  return `created for ${user}, ${may}${sources == null ? '' : `, for ${sources.join(' ')}`}`;
}

/** A new key with the row that is kept of it. */
export function newKeyRow(
  of: {
    readonly organisation: string;
    readonly user: string;
    readonly name: string;
    readonly maxAccess: KeyAccess;
  },
  now: number,
  days: number = DEFAULT_DAYS,
  purpose?: 'approve',
): { readonly created: CreatedKey['key']; readonly row: Selectable<ApiKeyTable> } {
  const created = newApiKey();
  const row = {
    id: newId('key'),
    organisation_id: of.organisation,
    user_id: of.user,
    name: of.name,
    hash: hashApiKey(created),
    hint: hintOf(created),
    max_access: of.maxAccess,
    sources: null,
    created_at: now,
    expires_at: Math.ceil(now + days * DAY_MS),
    revoked_at: null,
    purpose: purpose ?? null,
    last_used_at: null,
  };
  return { created, row };
}

/** An admin's: all of the organisation; a user's: the own ones. Throws `record_unknown`. */
async function reachableKey(database: Kysely<Tables>, actor: Actor, id: string) {
  const row = await database.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
  const reached =
    row !== undefined &&
    mayReach(actor, row.organisation_id) &&
    (isAdmin(actor) || (actor.kind === 'user' && actor.id === row.user_id));
  if (!reached) throw unknownRecord('key', id);
  return row;
}

function mostFor({ principal }: Actor): KeyAccess {
  return principal.maxAccess;
}

/** A key for a source that does not exist would allow nothing, and nobody would know why. */
function checkSources(known: object, named: readonly string[]): void {
  const index = named.findIndex((name) => !Object.hasOwn(known, name));
  if (index < 0) return;
  throw new ToolcribError('record_invalid', `There is no source "${named[index]}".`, {
    pointer: `/sources/${index}`,
  });
}

/** A key makes none that may do more than itself. */
function checkNotMore({ principal }: Actor, maxAccess: KeyAccess): void {
  if (ACCESS_LEVELS.indexOf(maxAccess) <= ACCESS_LEVELS.indexOf(principal.maxAccess)) return;
  throw new ToolcribError(
    'record_invalid',
    `The credential that asks allows ${principal.maxAccess} at most; the new key cannot allow ${maxAccess}.`,
    { pointer: '/maxAccess' },
  );
}

function withoutOrganisation(user: string): ToolcribError {
  return new ToolcribError('record_invalid', `User ${user} belongs to no organisation and can have no key.`, {
    pointer: '/user',
  });
}
