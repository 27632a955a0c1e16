import { timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../operations/index.ts';
import type { Store } from '../../store/store.ts';
import { scopeOf } from '../directory/directory-context.ts';
import { isExpired } from '../directory/rows-to-records.ts';
import { keyRecord } from '../grants/organisation-snapshot.ts';
import { readKeyAccess, readNames, readTime } from '../read-rows.ts';
import { unauthorized } from '../unauthorized.ts';

/** Where an API key stands: by the hash of the key that was shown, or by the id of one that was shown before. */
export type KeyPlace =
  | { readonly hash: string; readonly id?: undefined }
  | { readonly id: string; readonly hash?: undefined };

/** A key that was looked up, good while its organisation's revision stays. */
export interface KnownKey {
  readonly principal: Principal & { readonly organisation: string };
  readonly record: string;
  readonly revision: number;
}

/** Throws `unauthorized`, saying why. */
export async function readKey(store: Store, place: KeyPlace, now: () => number): Promise<KnownKey> {
  const found = await findKey(store, place);
  if (found === undefined) throw unauthorized('The API key is not known.');
  if (found.revoked_at !== null) throw unauthorized('The API key was revoked.');
  if (isExpired(found.expires_at, now())) throw unauthorized('The API key has expired.');
  if (found.status !== 'active' || found.user_organisation !== found.organisation_id) {
    throw unauthorized('The user of this API key was disabled or has left the organisation.');
  }
  const maxAccess = readKeyAccess(found.max_access);
  const sources = found.sources === null ? null : readNames(found.sources);
  if (maxAccess === undefined || sources === undefined) {
    throw unauthorized('The record of this API key cannot be read.');
  }
  const principal = Object.freeze({
    id: found.user_id,
    kind: 'user' as const,
    maxAccess,
    roles: [],
    organisation: found.organisation_id,
    key: found.id,
    ...(sources === null ? {} : { sources }),
    // whatever purpose it has, it is none that calls tools
    ...(found.purpose === null
      ? {}
      : { purpose: 'approve' as const, sources: [], ...(sources === null ? {} : { decides: sources }) }),
    ...(found.expires_at === null ? {} : { expiresAt: readTime(found.expires_at) }),
  });
  return { principal, record: keyRecord(found), revision: found.revision };
}

/** The key with its user. The revision is read first: what is read after it is at least as new. */
async function findKey(store: Store, { hash, id }: KeyPlace) {
  const { database } = store;
  const [column, value] =
    hash === undefined ? (['api_keys.id', id] as const) : (['api_keys.hash', hash] as const);
  const of = await database
    .selectFrom('api_keys')
    .select('organisation_id')
    .where(column, '=', value)
    .executeTakeFirst();
  if (of === undefined) return undefined;
  const revision = await store.revision(scopeOf(of.organisation_id));
  const row = await database
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select([
      'api_keys.id',
      'api_keys.hash',
      'api_keys.organisation_id',
      'api_keys.user_id',
      'api_keys.max_access',
      'api_keys.sources',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_keys.purpose',
      'users.status',
      'users.organisation_id as user_organisation',
    ])
    .where(column, '=', value)
    .executeTakeFirst();
  if (row === undefined || !sameText(hash === undefined ? row.id : row.hash, value)) return undefined;
  return { ...row, revision };
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
