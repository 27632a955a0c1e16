import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Egress } from '../../egress/egress.ts';
import { isToolcribError, ToolcribError } from '../../errors.ts';
import type { Connection, NangoCredential } from '../../operations/index.ts';
import type { SecretReader } from '../secret-reference.ts';
import { type Landed, SharedFlights } from '../shared-flight.ts';
import { openReconnectSession } from './connect-sessions.ts';
import { fetchConnection } from './nango-connection.ts';
import { type NangoConnection, secretParts } from './nango-credential.ts';
import { type NangoServer, nangoServer } from './nango-server.ts';

export interface NangoNeed {
  readonly connection: Connection;
  readonly settings: NangoCredential;
  /** Configuration key, for errors. */
  readonly place: string;
}

/** A connection's credential, and what to say when the provider refuses it. */
export interface NangoIssue {
  readonly connection: NangoConnection;
  /** True when asking again may bring a better one. */
  readonly refused: () => boolean;
}

export interface NangoTokens {
  /** `deadline` in milliseconds since the epoch: how long a busy Nango is waited for. */
  issue(need: NangoNeed, signal: AbortSignal, deadline?: number): Promise<NangoIssue>;
  /** Throws where Nango could not even be asked: no connection is named, or there is no key. */
  ready(need: NangoNeed, signal: AbortSignal): Promise<void>;
  /** Forgets what is kept of the connection; true when there was anything. */
  forget(connection: Connection): boolean;
}

export interface NangoTokensOptions {
  readonly egress: Egress;
  readonly secrets: SecretReader;
  readonly announce: (secret: string) => void;
  readonly now: () => number;
}

/** Somebody may disconnect the account at Nango: a token is asked for again after this time at the latest. */
const MAX_AGE_MS = 120_000;
/** A token is not used in its last minute. */
const SKEW_MS = 60_000;
/** A token that was refreshed by force is not refreshed by force again so soon: that is not what is wrong. */
const FORCE_PAUSE_MS = 30_000;
/** What one answer may close, however long it asks for: then one request tries again. */
const LONGEST_PAUSE_MS = 3_600_000;
/** How long a busy Nango is waited for where nobody set a deadline. */
const DEFAULT_PATIENCE_MS = 20_000;

/** Credentials that Nango keeps, asked for when a call needs them, one request however many calls wait. */
export function createNangoTokens({ egress, secrets, announce, now }: NangoTokensOptions): NangoTokens {
  const kept = new SharedFlights<NangoConnection>(now);
  /** Keys whose next fetch is to force a refresh. */
  const toRefresh = new Set<string>();
  const forcedAt = new WeakMap<NangoConnection, number>();
  /** Until when a Nango environment takes no requests, by its key in `environmentKey`. */
  const busyUntil = new Map<string, number>();

  const fetchNow = async (
    key: string,
    server: NangoServer,
    question: { readonly id: string; readonly integration: string },
    signal: AbortSignal,
  ): Promise<Landed<NangoConnection>> => {
    const environment = environmentKey(server);
    const pause = (busyUntil.get(environment) ?? 0) - now();
    if (pause > 0) throw busy(server, pause);
    const ask = (forceRefresh: boolean) =>
      fetchConnection(egress, server, { ...question, forceRefresh }, signal, now);
    const forced = toRefresh.delete(key);
    try {
      let connection = await ask(forced);
      const stale = !forced && connection.expiresAt !== undefined && connection.expiresAt <= now();
      if (stale) connection = await ask(true);
      if (forced || stale) forcedAt.set(connection, now());
      for (const secret of secretParts(connection.secret)) announce(secret);
      const usable = connection.expiresAt === undefined ? Infinity : connection.expiresAt - SKEW_MS;
      return { value: connection, usableUntil: Math.min(usable, now() + MAX_AGE_MS) };
    } catch (error) {
      const pauseMs = pauseOf(error);
      if (pauseMs !== undefined) busyUntil.set(environment, now() + Math.min(pauseMs, LONGEST_PAUSE_MS));
      if (forced && pauseMs !== undefined) toRefresh.add(key);
      throw await withReconnectLink(error, server, question, signal);
    }
  };

  /** The refused token again, its page to mend it, or the error as it was. */
  const withReconnectLink = async (
    error: unknown,
    server: NangoServer,
    { id, integration }: { readonly id: string; readonly integration: string },
    signal: AbortSignal,
  ): Promise<unknown> => {
    if (!isToolcribError(error) || error.code !== 'reconnect_required') return error;
    try {
      const session = await openReconnectSession(
        egress,
        server,
        { connection: id, integration },
        AbortSignal.any([signal, AbortSignal.timeout(RECONNECT_TIMEOUT_MS)]),
        now,
      );
      const details = { ...error.details, link: session.connectLink, expiresAt: session.expiresAt };
      return new ToolcribError(error.code, error.message, {
        details,
        cause: error,
        ...(error.status === undefined ? {} : { status: error.status }),
      });
    } catch {
      return error;
    }
  };

  const questionOf = async ({ connection, settings, place }: NangoNeed, signal: AbortSignal) => {
    const id = settings.connection;
    if (id === undefined) {
      throw new ToolcribError(
        'connection_missing',
        `Connection ${connection.name} names no connection of Nango: set ${place}.connection, or connect the account.`,
      );
    }
    return { id, server: await nangoServer(settings, place, secrets, signal) };
  };

  return {
    async issue(need, signal, deadline = now() + DEFAULT_PATIENCE_MS) {
      const { connection, settings } = need;
      const { id, server } = await questionOf(need, signal);
      const { integration } = settings;
      const key = `${prefixOf(connection)}${hashOf(server.baseUrl, server.secretKey, server.route, integration, id)}`;
      const found = await patiently(
        () => kept.get(key, signal, (shared) => fetchNow(key, server, { id, integration }, shared)),
        { signal, deadline, now },
      );
      return {
        connection: found,
        refused() {
          const forced = forcedAt.get(found);
          if (forced !== undefined && now() - forced < FORCE_PAUSE_MS) return false;
          if (kept.forgetValue(key, found)) toRefresh.add(key);
          return true;
        },
      };
    },
    ready: async (need, signal) => void (await questionOf(need, signal)),
    forget: (connection) => kept.forget((key) => key.startsWith(prefixOf(connection))),
  };
}

const RECONNECT_TIMEOUT_MS = 5_000;

/** While Nango says "later" and there is time, waits and asks again. */
async function patiently<T>(
  ask: () => Promise<T>,
  { signal, deadline, now }: { signal: AbortSignal; deadline: number; now: () => number },
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const pauseMs = pauseOf(error);
      if (pauseMs === undefined || now() + pauseMs >= deadline) throw error;
      await wait(Math.max(pauseMs, 1), undefined, { signal });
    }
  }
}

function pauseOf(error: unknown): number | undefined {
  if (!isToolcribError(error) || error.code !== 'rate_limited') return undefined;
  const seconds = error.details?.['retryAfterSeconds'];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

function busy({ baseUrl }: NangoServer, pauseMs: number): ToolcribError {
  return new ToolcribError(
    'rate_limited',
    `Nango at ${baseUrl} takes no more requests for ${Math.ceil(pauseMs / 1000)} s.`,
    { details: { retryAfterSeconds: pauseMs / 1000 } },
  );
}

/** Connection records have names of their own: nothing is ever shared between two of them. */
function prefixOf({ name }: Connection): string {
  return `${JSON.stringify(name)} `;
}

function environmentKey({ baseUrl, secretKey }: NangoServer): string {
  return hashOf(baseUrl, secretKey);
}

/** Secrets take part as a hash only. */
function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
