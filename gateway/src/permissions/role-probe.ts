import { EgressFailure } from '../egress/egress.ts';
import { isToolcribError } from '../errors.ts';
import type { Account } from '../operations/index.ts';
import { sameItems } from '../operations/same-items.ts';
import { untilAborted } from '../operations/work/until-aborted.ts';
import { type ProbeAnswer, readRoles } from './read-roles.ts';

/** How one source is asked for roles. */
export interface ProbeSettings {
  /** JSON Pointer to the list of roles. */
  readonly roles: string;
  readonly ttlMs: number;
  readonly timeoutMs: number;
  /** For explanations: `GET /auth/token-info`. */
  readonly request: string;
}

/** What a service says of one account. Whatever is not `known` has no roles. */
export interface ProbedRoles {
  /** `unknown`: nobody has asked yet. */
  readonly status: 'known' | 'unauthenticated' | 'failed' | 'unknown';
  /** Upper case, sorted. */
  readonly roles: readonly string[];
  /** Why there are none; for explanations. */
  readonly reason?: string;
}

export interface RoleProbeOptions {
  /** Undefined: the source is not asked. Read at every use. */
  readonly settings: (source: string) => ProbeSettings | undefined;
  /** Equal while the credential is the same; roles are kept by it. Throws where the source is gone. */
  readonly credential: (source: string, account: Account | undefined) => string;
  /** Asks the service. The signal ends with the timeout. */
  readonly send: (source: string, account: Account | undefined, signal: AbortSignal) => Promise<ProbeAnswer>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Roles that services give to accounts: asked when needed, kept in memory for a while, stored nowhere. */
export interface RoleProbe {
  /** The newest that this process knows, without waiting; what is due is asked for meanwhile. Undefined: not asked. */
  known(source: string, account?: Account): ProbedRoles | undefined;
  /** As of now, or of at most the time to live ago. Rejects only with the signal's reason. */
  fresh(
    source: string,
    account?: Account,
    signal?: AbortSignal,
  ): ProbedRoles | undefined | Promise<ProbedRoles>;
  /** The service answered a call with 401 or 403: the next who needs the roles asks again. */
  doubt(source: string, account?: Account): void;
  /** The roles of some account of this source differ from before. */
  onChange(listener: (source: string) => void): () => void;
  close(): void;
}

/** How long a refusal or a failure counts, milliseconds. */
const FAILURE_TTL_MS = 30_000;
/** A doubted answer is asked for again after this time at the earliest, milliseconds. */
const MIN_AGE_MS = 1000;
/** Accounts that are remembered; the one that was not used longest drops out. */
const MAX_ACCOUNTS = 5000;

const UNKNOWN: ProbedRoles = Object.freeze({ status: 'unknown', roles: [], reason: 'nobody has asked yet' });

const GONE: ProbedRoles = Object.freeze({
  status: 'failed',
  roles: [],
  reason: 'the account cannot be asked about',
});

interface Kept {
  readonly source: string;
  roles: ProbedRoles;
  askedAt: number;
  usableUntil: number;
  flight?: Promise<ProbedRoles>;
}

export function createRoleProbe({ settings, credential, send, now = Date.now }: RoleProbeOptions): RoleProbe {
  const accounts = new Map<string, Kept>();
  const listeners = new Set<(source: string) => void>();
  const closing = new AbortController();

  /** By what is asked as well: a probe that was configured anew asks anew. Undefined where the account can no longer be said: its source is gone. */
  const keptOf = (
    source: string,
    account: Account | undefined,
    { request, roles }: ProbeSettings,
  ): Kept | undefined => {
    let key: string;
    try {
      key = JSON.stringify([source, account?.id ?? null, credential(source, account), request, roles]);
    } catch {
      return undefined;
    }
    const kept = accounts.get(key) ?? { source, roles: UNKNOWN, askedAt: 0, usableUntil: 0 };
    accounts.delete(key);
    accounts.set(key, kept);
    if (accounts.size > MAX_ACCOUNTS) accounts.delete(accounts.keys().next().value!);
    return kept;
  };

  /** One question at a time for each account, however many wait for it; nobody's going away ends it. */
  const ask = (kept: Kept, account: Account | undefined, given: ProbeSettings): Promise<ProbedRoles> => {
    kept.flight ??= probe(kept.source, account, given).then((roles) => {
      delete kept.flight;
      const before = kept.roles;
      kept.roles = roles;
      kept.askedAt = now();
      kept.usableUntil = kept.askedAt + (roles.status === 'known' ? given.ttlMs : FAILURE_TTL_MS);
      if (!sameItems(before.roles, roles.roles)) for (const listener of [...listeners]) listener(kept.source);
      return roles;
    });
    return kept.flight;
  };

  const probe = async (
    source: string,
    account: Account | undefined,
    { roles: pointer, timeoutMs, request }: ProbeSettings,
  ): Promise<ProbedRoles> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([timeout, closing.signal]);
    try {
      const read = readRoles(await untilAborted(send(source, account, signal), signal), pointer);
      if (read.status === 'known') return Object.freeze(read);
      return none(read.status, `${request}: ${read.reason}`);
    } catch (error) {
      return none(
        'failed',
        `${request}: ${timeout.aborted ? noAnswer(timeoutMs) : reasonOf(error, timeoutMs)}`,
      );
    }
  };

  return {
    known(source, account) {
      const given = settings(source);
      if (given === undefined) return undefined;
      const kept = keptOf(source, account, given);
      if (kept === undefined) return GONE;
      if (kept.usableUntil <= now() && !closing.signal.aborted) void ask(kept, account, given);
      return kept.roles;
    },
    fresh(source, account, signal) {
      const given = settings(source);
      if (given === undefined) return undefined;
      const kept = keptOf(source, account, given);
      if (kept === undefined) return GONE;
      if (kept.usableUntil > now()) return kept.roles;
      if (closing.signal.aborted) return none('failed', 'the gateway is closing');
      const asked = ask(kept, account, given);
      return signal === undefined ? asked : untilAborted(asked, signal);
    },
    doubt(source, account) {
      const given = settings(source);
      if (given === undefined) return;
      const kept = keptOf(source, account, given);
      if (kept !== undefined && kept.askedAt + MIN_AGE_MS <= now()) kept.usableUntil = 0;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => closing.abort(new DOMException('The gateway is closing.', 'AbortError')),
  };
}

function none(status: 'unauthenticated' | 'failed', reason: string): ProbedRoles {
  return Object.freeze({ status, roles: [], reason });
}

/** What kind of failure it was, never what the service or a library said. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (isToolcribError(error)) return error.code;
  if (!(error instanceof EgressFailure)) return 'no usable answer';
  return error.kind === 'timeout' ? noAnswer(timeoutMs) : `no usable answer (${error.kind})`;
}

function noAnswer(timeoutMs: number): string {
  return `no answer within ${timeoutMs} ms`;
}
