import type { Kysely } from 'kysely';
import { ToolcribError } from '../../errors.ts';
import type { Principal } from '../../operations/index.ts';
import type { Tables } from '../../store/tables.ts';
import { isExpired } from './rows-to-records.ts';

/** Who asks the directory, as of now: the operator, or a user of one organisation. */
export type Actor = OperatorActor | UserActor;

export interface OperatorActor {
  readonly kind: 'operator';
  readonly principal: Principal;
}

export interface UserActor {
  readonly kind: 'user';
  readonly principal: Principal;
  readonly id: string;
  readonly organisation: string;
  /** Holds the role `admin`. */
  readonly admin: boolean;
}

/** The role that may manage its organisation. */
export const ADMIN_ROLE = 'admin';

/**
 * Looks the principal up again: roles, status and key as they are now. Throws `organisation_missing`, and
 * `unauthorized` when the user was disabled or has left, or the key was revoked or has expired.
 */
export async function resolveActor(
  database: Kysely<Tables>,
  principal: Principal,
  now: number,
): Promise<Actor> {
  if (principal.kind === 'local' || principal.kind === 'token') return { kind: 'operator', principal };
  const { id, organisation } = principal;
  if (organisation === undefined) {
    throw new ToolcribError('organisation_missing', `User ${id} belongs to no organisation.`);
  }
  const user = await database
    .selectFrom('users')
    .select(['organisation_id', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (user?.status !== 'active' || user.organisation_id !== organisation) {
    throw new ToolcribError('unauthorized', `User ${id} was disabled or has left the organisation.`);
  }
  await checkCredential(database, principal, now);
  const roles = await database
    .selectFrom('user_roles')
    .select('role')
    .where('user_id', '=', id)
    .where('role', '=', ADMIN_ROLE)
    .execute();
  const admin = roles.length > 0 || principal.roles.includes(ADMIN_ROLE);
  return { kind: 'user', principal, id, organisation, admin };
}

/** A key is revoked or expires on its own; so does a sign-in token. */
async function checkCredential(
  database: Kysely<Tables>,
  { id, key, organisation, expiresAt }: Principal,
  now: number,
): Promise<void> {
  if (expiresAt !== undefined && !(expiresAt > now)) {
    throw new ToolcribError('unauthorized', 'The credential has expired.');
  }
  if (key === undefined) return;
  const row = await database
    .selectFrom('api_keys')
    .select(['user_id', 'organisation_id', 'expires_at', 'revoked_at'])
    .where('id', '=', key)
    .executeTakeFirst();
  const belongs = row?.user_id === id && row.organisation_id === organisation;
  if (!belongs || row.revoked_at !== null || isExpired(row.expires_at, now)) {
    throw new ToolcribError('unauthorized', 'The API key was revoked or has expired.');
  }
}

/** A key that only reads, or that is limited to some sources, changes nothing here. Throws `admin_needed`. */
export function checkMayChange({ principal }: Pick<Actor, 'principal'>): void {
  if (principal.maxAccess !== 'write' && principal.maxAccess !== 'delete') {
    throw new ToolcribError('admin_needed', 'The credential allows reading only.');
  }
  if (principal.sources !== undefined) {
    throw new ToolcribError(
      'admin_needed',
      'A credential that is limited to some sources changes no records.',
    );
  }
}

export function isAdmin(actor: Actor): boolean {
  return actor.kind === 'operator' || actor.admin;
}

/** Throws `admin_needed` for users who are no admin; whose organisation it is, is looked at elsewhere. */
export function checkAdmin(actor: Actor, what: string): void {
  if (!isAdmin(actor)) throw new ToolcribError('admin_needed', `Only an admin may ${what}.`);
}

export function checkOperator(actor: Actor, what: string): asserts actor is OperatorActor {
  if (actor.kind === 'operator') return;
  throw operatorNeeded(`may ${what}`);
}

/** An admin of an organisation is no help here, and may be who asks. */
export function operatorNeeded(what: string): ToolcribError {
  return new ToolcribError('admin_needed', `Only the operator of this gateway ${what}.`, {
    next: 'The operator does it: by `toolcrib` on the machine of the gateway, or over HTTP with `server.token`.',
  });
}

/** What belongs to another organisation is not there, as far as this actor can tell. */
export function mayReach(actor: Actor, organisation: string | null): boolean {
  return actor.kind === 'operator' || actor.organisation === organisation;
}

/** The organisation that an input is about: the one named, else the own. Throws `record_invalid`, `record_unknown`. */
export function organisationFor(actor: Actor, named: string | undefined): string {
  if (actor.kind === 'user') {
    if (named !== undefined && named !== actor.organisation) throw unknownRecord('organisation', named);
    return actor.organisation;
  }
  if (named !== undefined) return named;
  throw new ToolcribError('record_invalid', 'The operator names the organisation.', {
    pointer: '/organisation',
    next: 'Name its id as `organisation`, on the command line by `--org`; `toolcrib admin org list` lists them.',
  });
}

/** To whose records a list is limited; undefined: the operator asks for those of every organisation. */
export function listedOrganisation(actor: Actor, named: string | undefined): string | undefined {
  return actor.kind === 'operator' && named === undefined ? undefined : organisationFor(actor, named);
}

export function unknownRecord(what: string, id: string): ToolcribError {
  return new ToolcribError('record_unknown', `There is no ${what} "${id.slice(0, 128)}".`);
}
