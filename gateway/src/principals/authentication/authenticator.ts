import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { Principal } from '../../operations/index.ts';
import { printable } from '../../operations/text/printable.ts';
import type { Store } from '../../store/store.ts';
import { BoundedMap } from '../bounded-map.ts';
import { scopeOf } from '../directory/directory-context.ts';
import { createKnownOrganisations, type KnownOrganisations } from '../grants/known-organisations.ts';
import type { UserReference } from '../sessions/session-record.ts';
import { unauthorized } from '../unauthorized.ts';
import { hashApiKey, isApiKey, looksLikeApiKey } from './api-key.ts';
import type { DiscoverKeys, FetchKeys } from './issuer-keys.ts';
import { type KeyPlace, type KnownKey, readKey } from './read-key.ts';
import { type AskedIdToken, createSignInTokens, type SignIn, type SignInSettings } from './sign-in-tokens.ts';

/** Who a bearer token belongs to. */
export interface Authenticator {
  /**
   * A key's or a sign-in token's user, as of now, with the organisation known as of now. `roles` are the token's own:
   * the store's are in the grants.
   * Throws `unauthorized`, `user_refused`, `store_unavailable`, `upstream_unreachable`.
   */
  authenticate(bearer: string, signal: AbortSignal): Promise<Principal>;
  /** The same, with what leads to the same user later without the bearer token. */
  refer(bearer: string, signal: AbortSignal): Promise<ReferredUser>;
  /**
   * Whom the provider's ID token names, who signed in there for the console, for twelve hours: the time of the token
   * itself is that of the sign-in. Throws as `authenticate` does.
   */
  referSignedIn(idToken: string, asked: AskedIdToken, signal: AbortSignal): Promise<ReferredUser>;
  /** Who a reference stands for as of now. Throws `unauthorized`, `store_unavailable`. */
  again(reference: UserReference): Promise<Principal>;
}

export interface ReferredUser {
  readonly principal: Principal;
  readonly reference: UserReference;
}

export interface AuthenticatorOptions {
  readonly store: Store;
  /** Absent: API keys only. */
  readonly jwt?: SignInSettings;
  /** What the console is called at the provider as of now; undefined: nobody signs in there for it. */
  readonly consoleClient?: () => Promise<string | undefined>;
  /** Needed with `jwt`. */
  readonly fetch?: FetchKeys;
  readonly discover?: DiscoverKeys;
  /** Given where grants are made of the same organisations: whoever comes in is known there. */
  readonly organisations?: KnownOrganisations;
  readonly now?: () => number;
}

/** What the provider said of a person, roles among it, is asked for anew after a day's work, milliseconds. */
const SIGNED_IN_MS = 12 * 3_600_000;
const KNOWN_KEYS = 10_000;
const LONGEST_BEARER = 16_384;

export function createAuthenticator({
  store,
  jwt,
  consoleClient,
  fetch,
  discover,
  organisations = createKnownOrganisations(store),
  now = Date.now,
}: AuthenticatorOptions): Authenticator {
  const known = new BoundedMap<string, KnownKey>(KNOWN_KEYS);
  const tokens =
    jwt && fetch && createSignInTokens(jwt, { fetch, ...(discover === undefined ? {} : { discover }) }, now);
  const byKey = (found: KeyPlace) => keyPrincipal(store, organisations, known, found, now);
  const bySignIn = async (token: SignIn) => {
    const principal = await signedInPrincipal(store, token);
    const { organisation } = principal;
    if (organisation !== undefined) {
      await organisations.at(organisation, await store.revision(scopeOf(organisation)));
    }
    return principal;
  };
  const check = (bearer: string): 'key' | 'token' => {
    if (bearer.length > LONGEST_BEARER) throw unauthorized('The bearer token is too long.');
    if (!looksLikeApiKey(bearer)) return 'token';
    if (!isApiKey(bearer)) throw unauthorized('The API key is not complete.');
    return 'key';
  };
  const verified = async (bearer: string, signal: AbortSignal): Promise<SignIn> => {
    if (tokens === undefined) throw unauthorized('The bearer token is not an API key of this gateway.');
    return tokens.verify(bearer, signal);
  };
  const referred = async (token: SignIn, client?: string): Promise<ReferredUser> => {
    const { organisation, ...rest } = token;
    return {
      principal: await bySignIn(token),
      reference: {
        kind: 'sign-in',
        issuer: jwt!.issuer,
        ...rest,
        ...(client === undefined ? {} : { client }),
        ...(organisation === undefined ? {} : { organisation }),
      },
    };
  };
  return {
    async authenticate(bearer, signal) {
      return check(bearer) === 'key'
        ? byKey({ hash: hashApiKey(bearer) })
        : bySignIn(await verified(bearer, signal));
    },
    async refer(bearer, signal) {
      if (check(bearer) === 'key') {
        const principal = await byKey({ hash: hashApiKey(bearer) });
        return { principal, reference: { kind: 'key', id: principal.key! } };
      }
      return referred(await verified(bearer, signal));
    },
    async referSignedIn(idToken, asked, signal) {
      if (tokens === undefined) throw unauthorized('This gateway takes no sign-ins of a provider.');
      if (idToken.length > LONGEST_BEARER) throw unauthorized('The sign-in token is too long.');
      const token = await tokens.verifyIdToken(idToken, asked, signal);
      return referred({ ...token, expiresAt: now() + SIGNED_IN_MS }, asked.clientId);
    },
    async again(reference) {
      if (reference.kind === 'key') return byKey({ id: reference.id });
      if (reference.issuer !== jwt?.issuer)
        throw unauthorized('The issuer of this sign-in token no longer counts.');
      if (!(reference.expiresAt > now())) throw unauthorized('The sign-in token has expired.');
      const { client } = reference;
      if (client !== undefined && client !== (await consoleClient?.())) {
        throw unauthorized('Nobody signs in to this console at the provider any more.');
      }
      return bySignIn({ organisation: undefined, ...reference }).catch((error: unknown) => {
        // what was opened with it ends
        throw isToolcribError(error) && error.code === 'user_refused' ? unauthorized(error.message) : error;
      });
    },
  };
}

async function keyPrincipal(
  store: Store,
  organisations: KnownOrganisations,
  known: BoundedMap<string, KnownKey>,
  place: KeyPlace,
  now: () => number,
): Promise<Principal> {
  // an id has another form than a hash, so that one is never taken for the other
  const name = place.hash ?? place.id;
  const cached = known.get(name);
  if (cached !== undefined && !hasEnded(cached.principal, now())) {
    const current = await stillKnown(store, organisations, cached);
    if (current !== undefined) {
      if (current !== cached) known.set(name, current);
      return current.principal;
    }
  }
  known.delete(name);
  const found = await readKey(store, place, now);
  await organisations.at(found.principal.organisation, found.revision);
  known.set(name, found);
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

/** The user of that subject; nobody is made a user by signing in. */
async function signedInPrincipal({ database }: Store, token: SignIn): Promise<Principal> {
  const user = await database
    .selectFrom('users')
    .select(['id', 'organisation_id', 'status'])
    .where('subject', '=', token.subject)
    .executeTakeFirst();
  if (user === undefined) {
    throw userRefused(
      'Nobody with the subject of this sign-in token is known here.',
      `Have an admin add you with \`toolcrib admin user add\`; your --subject is ${printable(token.subject, 200)}`,
    );
  }
  if (user.status !== 'active') throw userRefused('The user of this sign-in token was disabled.');
  const organisation = user.organisation_id;
  if (token.organisation !== undefined && token.organisation !== organisation) {
    throw userRefused('The sign-in token is for an organisation that the user does not belong to.');
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

/** No 401: the token is good, and a client would have its person sign in again and again. */
function userRefused(message: string, next?: string): ToolcribError {
  return new ToolcribError('user_refused', message, next === undefined ? {} : { next });
}

/** Whether the credential's own time is over. */
export function hasEnded({ expiresAt }: Principal, now: number): boolean {
  return expiresAt !== undefined && !(expiresAt > now);
}
