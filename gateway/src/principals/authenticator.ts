import { timingSafeEqual } from 'node:crypto';
import { ToolcribError } from '../errors.ts';
import type { Principal } from '../operations/index.ts';
import type { Store } from '../store/store.ts';
import { hashApiKey, isApiKey, looksLikeApiKey } from './api-key.ts';
import { BoundedMap } from './bounded-map.ts';
import { scopeOf } from './directory-context.ts';
import { createKnownOrganisations, type KnownOrganisations } from './known-organisations.ts';
import { keyRecord } from './organisation-snapshot.ts';
import { readKeyAccess, readNames, readTime } from './read-rows.ts';
import { isExpired } from './rows-to-records.ts';
import { createSignInTokens, type FetchKeys, type SignIn, type SignInSettings } from './sign-in-tokens.ts';

/** Who a bearer token belongs to. */
export interface Authenticator {
  /**
   * A key's or a sign-in token's user, as of now, with the organisation known as of now. `roles` are the token's own:
   * the store's are in the grants.
   * Throws `unauthorized`, `store_unavailable`, `upstream_unreachable`.
   */
  authenticate(bearer: string, signal: AbortSignal): Promise<Principal>;
}

export interface AuthenticatorOptions {
  readonly store: Store;
  /** Absent: API keys only. */
  readonly jwt?: SignInSettings;
  /** Needed with `jwt`. */
  readonly fetch?: FetchKeys;
  /** Given where grants are made of the same organisations: whoever comes in is known there. */
  readonly organisations?: KnownOrganisations;
  readonly now?: () => number;
}

/** A key that was looked up, good while its organisation's revision stays. */
interface KnownKey {
  readonly principal: Principal & { readonly organisation: string };
  readonly record: string;
  readonly revision: number;
}

const KNOWN_KEYS = 10_000;
const LONGEST_BEARER = 16_384;

export function createAuthenticator({
  store,
  jwt,
  fetch,
  organisations = createKnownOrganisations(store),
  now = Date.now,
}: AuthenticatorOptions): Authenticator {
  const known = new BoundedMap<string, KnownKey>(KNOWN_KEYS);
  const tokens = jwt && fetch && createSignInTokens(jwt, fetch, now);
  return {
    async authenticate(bearer, signal) {
      if (bearer.length > LONGEST_BEARER) throw unauthorized('The bearer token is too long.');
      if (looksLikeApiKey(bearer)) {
        if (!isApiKey(bearer)) throw unauthorized('The API key is not complete.');
        return keyPrincipal(store, organisations, known, hashApiKey(bearer), now);
      }
      if (tokens === undefined) throw unauthorized('The bearer token is not an API key of this gateway.');
      const principal = await signedInPrincipal(store, await tokens.verify(bearer, signal));
      const { organisation } = principal;
      if (organisation !== undefined) {
        await organisations.at(organisation, await store.revision(scopeOf(organisation)));
      }
      return principal;
    },
  };
}

async function keyPrincipal(
  store: Store,
  organisations: KnownOrganisations,
  known: BoundedMap<string, KnownKey>,
  hash: string,
  now: () => number,
): Promise<Principal> {
  const cached = known.get(hash);
  if (cached !== undefined && !hasEnded(cached.principal, now())) {
    const current = await stillKnown(store, organisations, cached);
    if (current !== undefined) {
      if (current !== cached) known.set(hash, current);
      return current.principal;
    }
  }
  known.delete(hash);
  const found = await readKey(store, hash, now);
  await organisations.at(found.principal.organisation, found.revision);
  known.set(hash, found);
  return found.principal;
}

/**
 * The same as of now, at the cost of one question to the store; undefined where the organisation changed in a way
 * that concerns this key or its user. The organisation is known afterwards.
 */
async function stillKnown(
  store: Store,
  organisations: KnownOrganisations,
  cached: KnownKey,
): Promise<KnownKey | undefined> {
  const { principal, record } = cached;
  const asked = store.revision(scopeOf(principal.organisation));
  const revision = typeof asked === 'number' ? asked : await asked;
  const at = organisations.at(principal.organisation, revision);
  const { snapshot, revision: read } = at instanceof Promise ? await at : at;
  if (read === cached.revision) return cached;
  const key = snapshot?.keys.get(principal.key!);
  const active = snapshot?.users.get(principal.id)?.active === true;
  return active && key?.record === record ? { principal, record, revision: read } : undefined;
}

/** Throws `unauthorized`, saying why. */
async function readKey(store: Store, hash: string, now: () => number): Promise<KnownKey> {
  const found = await findKey(store, hash);
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
    ...(found.purpose === null ? {} : { purpose: 'approve' as const, sources: [] }),
    ...(found.expires_at === null ? {} : { expiresAt: readTime(found.expires_at) }),
  });
  return { principal, record: keyRecord(found), revision: found.revision };
}

/** The key with its user. The revision is read first: what is read after it is at least as new. */
async function findKey(store: Store, hash: string) {
  const { database } = store;
  const place = await database
    .selectFrom('api_keys')
    .select('organisation_id')
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (place === undefined) return undefined;
  const revision = await store.revision(scopeOf(place.organisation_id));
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
    .where('api_keys.hash', '=', hash)
    .executeTakeFirst();
  return row === undefined || !sameText(row.hash, hash) ? undefined : { ...row, revision };
}

/** The user of that subject; nobody is made a user by signing in. */
async function signedInPrincipal({ database }: Store, token: SignIn): Promise<Principal> {
  const user = await database
    .selectFrom('users')
    .select(['id', 'organisation_id', 'status'])
    .where('subject', '=', token.subject)
    .executeTakeFirst();
  if (user === undefined) throw unauthorized('Nobody with the subject of this sign-in token is known here.');
  if (user.status !== 'active') throw unauthorized('The user of this sign-in token was disabled.');
  const organisation = user.organisation_id;
  if (token.organisation !== undefined && token.organisation !== organisation) {
    throw unauthorized('The sign-in token is for an organisation that the user does not belong to.');
  }
  return Object.freeze({
    id: user.id,
    kind: 'user',
    maxAccess: 'delete',
    roles: token.roles,
    expiresAt: token.expiresAt,
    ...(organisation === null ? {} : { organisation }),
  });
}

/** Whether the credential's own time is over. */
export function hasEnded({ expiresAt }: Principal, now: number): boolean {
  return expiresAt !== undefined && !(expiresAt > now);
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function unauthorized(message: string): ToolcribError {
  return new ToolcribError('unauthorized', message);
}
