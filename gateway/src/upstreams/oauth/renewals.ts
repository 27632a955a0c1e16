import { isForgottenClient, isInvalidGrant, isRefusedRenewal } from '../../credentials/token-endpoint.ts';
import { untilAborted } from '../../operations/work/until-aborted.ts';
import { clientCredentials, ownClient } from './client-credentials.ts';
import { configuredClient, type RegistrationContext } from './registration.ts';
import { isClientGrant, type Remote, scopeNeeded, signInNeeded } from './remote.ts';
import { exchangeToken } from './token-exchange.ts';
import type { TokenRecord } from './token-record.ts';
import type { TokenSource } from './token-source.ts';
import type { TokenStore } from './token-store.ts';

export interface RenewalOptions {
  readonly store: TokenStore;
  readonly contextOf: (remote: Remote, signal: AbortSignal) => RegistrationContext;
  readonly now: () => number;
}

export interface Renewals {
  sourceFor(remote: Remote): TokenSource;
  /** False once the authorization server has refused its refresh token. */
  canRenew(record: TokenRecord): boolean;
}

/** Not used in its last minute, nor in the last half of a shorter life. */
const SKEW_MS = 60_000;
const RENEWAL_MS = 30_000;
/** How long a refusal of a server counts: it may think better of it. */
const REFUSAL_MS = 5 * 60_000;

type Renew = (signal: AbortSignal) => Promise<TokenRecord>;

/** Access tokens that stay usable: renewed in time, and when a server refuses them. */
export function createRenewals({ store, contextOf, now }: RenewalOptions): Renewals {
  const running = new Map<string, Promise<TokenRecord>>();
  const dead = new Set<string>();
  /** What a server refused last where only a person could help, by the key of the server; without a token: undefined. */
  const refusals = new Map<string, { readonly token: string | undefined; readonly until: number }>();

  /** Of the sign-in that was kept last; of one that a person has ended meanwhile there is none. */
  const refresh = async (remote: Remote, signal: AbortSignal): Promise<TokenRecord> => {
    const record = await store.latest(remote);
    const { refreshToken } = record ?? {};
    if (record === undefined || refreshToken === undefined || dead.has(refreshToken))
      throw signInNeeded(remote);
    const context = contextOf(remote, signal);
    const configured = await configuredClient(context);
    const client = configured ?? record.client;
    try {
      const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const issuedAt = now();
      const issued = await exchangeToken(context.tokenDoor, record, client, grant, { now, signal });
      const { expiresAt: _old, ...lasting } = record;
      return await store.save(remote, { ...lasting, client, issuedAt, ...issued });
    } catch (error) {
      if (isInvalidGrant(error)) dead.add(refreshToken);
      // a sign-in registers anew, and nobody else could mend it
      const isForgotten = isForgottenClient(error) && configured === undefined;
      throw isForgotten || isRefusedRenewal(error) ? signInNeeded(remote, error) : error;
    }
  };

  const asClient = async (
    remote: Remote,
    base: TokenRecord | undefined,
    wanted: readonly string[],
    signal: AbortSignal,
    metadata?: string,
  ): Promise<TokenRecord> => {
    const context = contextOf(remote, signal);
    return store.save(remote, await clientCredentials(context, remote, base, metadata, wanted, now));
  };

  /** One at a time, and to its end even when nobody waits any more: a rotated token must not be lost. */
  const renew = (remote: Remote, signal: AbortSignal, run: Renew): Promise<TokenRecord> => {
    const key = store.keyOf(remote);
    let renewal = running.get(key);
    if (renewal === undefined) {
      const own = AbortSignal.timeout(RENEWAL_MS);
      renewal = store.alone(remote, own, () => run(own)).finally(() => running.delete(key));
      renewal.catch(() => {});
      running.set(key, renewal);
    }
    return untilAborted(renewal, signal);
  };

  const isDue = ({ expiresAt, issuedAt = Number.NEGATIVE_INFINITY }: TokenRecord) =>
    expiresAt !== undefined && expiresAt - now() < Math.min(SKEW_MS, (expiresAt - issuedAt) / 2);

  const canRenew = ({ refreshToken }: TokenRecord) => refreshToken !== undefined && !dead.has(refreshToken);

  return {
    canRenew,
    sourceFor: (remote) => ({
      async current(signal) {
        const record = await store.load(remote);
        if (record === undefined || !isDue(record)) return record?.accessToken;
        try {
          const next = await renew(remote, signal, async (own) => {
            if (isClientGrant(remote)) return asClient(remote, record, [], own);
            const other = await store.newer(remote, record.accessToken);
            return other ?? refresh(remote, own);
          });
          return next.accessToken;
        } catch (error) {
          if (store.isFresh(record)) return record.accessToken;
          throw error;
        }
      },
      async ready(signal) {
        if (isClientGrant(remote)) return void (await ownClient(contextOf(remote, signal), remote));
        const record = await store.latest(remote);
        const refused = refusals.get(store.keyOf(remote));
        const isRefused =
          refused !== undefined && refused.token === record?.accessToken && refused.until > now();
        if (record === undefined ? !isRefused : canRenew(record) || (store.isFresh(record) && !isRefused))
          return;
        throw signInNeeded(remote);
      },
      async renewed(refused, { resourceMetadata, scopes = [] }, signal) {
        const base = await store.load(remote);
        // one that is renewable is renewed, whatever was refused
        for (const [key, { until }] of refusals) if (until <= now()) refusals.delete(key);
        refusals.set(store.keyOf(remote), { token: refused, until: now() + REFUSAL_MS });
        if (base === undefined && !isClientGrant(remote)) throw signInNeeded(remote);
        const record = await renew(remote, signal, async (own) => {
          const other = await store.newer(remote, refused);
          if (other !== undefined) return other;
          return isClientGrant(remote)
            ? asClient(remote, await store.latest(remote), scopes, own, resourceMetadata)
            : refresh(remote, own);
        });
        return record.accessToken;
      },
      async steppedUp(refused, { scopes = [] }, signal) {
        const other = await store.newer(remote, refused);
        if (other !== undefined) return other.accessToken;
        const base = await store.load(remote);
        if (base === undefined) throw scopeNeeded(remote, scopes);
        const isMore = scopes.some((scope) => !base.scopes?.includes(scope));
        if (isClientGrant(remote) && isMore) {
          return (await renew(remote, signal, (own) => asClient(remote, base, scopes, own))).accessToken;
        }
        const wanted = [...new Set([...(base.wanted ?? []), ...scopes])];
        if (wanted.length > (base.wanted?.length ?? 0)) await want(remote, refused, wanted, signal);
        throw scopeNeeded(remote, scopes);
      },
    }),
  };

  /** Kept for the next sign-in, unless there was one meanwhile. */
  async function want(
    remote: Remote,
    refused: string | undefined,
    wanted: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    await store.alone(remote, signal, async () => {
      if ((await store.newer(remote, refused)) !== undefined) return;
      const last = await store.latest(remote);
      if (last !== undefined) await store.save(remote, { ...last, wanted });
    });
  }
}
