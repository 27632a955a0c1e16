import { isToolcribError, ToolcribError } from '../../../errors.ts';
import { type AdminEvent, LOCAL_PRINCIPAL, type Principal } from '../../../operations/index.ts';
import type {
  SessionCredential,
  SessionLimits,
  SessionRecord,
  SessionRecords,
} from '../../../principals/index.ts';
import type { ProviderAnswer, ProviderSignIn } from '../sign-in/provider-sign-in.ts';
import { createAttempts } from './attempts.ts';
import { readCookie } from './cookie.ts';
import { knownOrigin } from './known-origin.ts';
import { openedWith } from './opened-with.ts';
import { isSameOrigin } from './same-origin.ts';
import type { Session, SessionKind } from './session.ts';
import {
  type CredentialParts,
  createSessionCredentials,
  isBeyondGuessing,
  type Shown,
} from './session-credentials.ts';
import { csrfOf, idOf, newSecret, sameText } from './session-secret.ts';
import type { SignInCodes } from './sign-in-codes.ts';

export interface SessionsOptions extends Omit<CredentialParts, 'machineKey'> {
  /** Default: one of this process, with which sessions of the owner end. */
  readonly machineKey?: CredentialParts['machineKey'];
  /** Opened with the first session. Throws `store_unavailable`. */
  readonly records: () => Promise<SessionRecords>;
  readonly codes?: Pick<SignInCodes, 'use' | 'waits'>;
  /** Where people sign in; absent: with what they type in. */
  readonly provider?: ProviderSignIn;
  /** Where browsers reach this gateway; absent: wherever a request says. */
  readonly publicUrl?: string;
  readonly idleMs: number;
  readonly absoluteMs: number;
  readonly record?: (event: AdminEvent) => void;
  readonly now?: () => number;
}

/** What somebody signs in with. */
export type SignInInput = { readonly code: string } | { readonly token: string };

/** What the browser is given of it, and nobody else. */
export interface OpenedSession {
  readonly session: Session;
  readonly secret: string;
}

/** Browsers that are signed in, each checked again at every request against what it was opened with. */
export interface Sessions {
  readonly mode: CredentialParts['mode'];
  /** How long a cookie may live, milliseconds. */
  readonly absoluteMs: number;
  readonly provider: ProviderSignIn | undefined;
  /** The session that a request's cookie names; undefined: none that counts here and now. Throws `store_unavailable`. */
  find(request: Request): Promise<Session | undefined>;
  /** Throws `csrf_refused`. */
  checkCsrf(request: Request, session: Session): void;
  /** Whether a sign-in link whose code has this hash signs in here. Throws `store_unavailable`. */
  knowsLink(id: string): Promise<boolean>;
  /** A new session, in place of the one that the request had. Throws `unauthorized`, `rate_limited`, `host_refused`. */
  open(input: SignInInput, request: Request): Promise<OpenedSession>;
  /** A session of whoever signed in at the provider. Throws as the provider's `finish` does. */
  openAnswered(answer: ProviderAnswer, signal: AbortSignal): Promise<OpenedSession>;
  /**
   * A session in place of this one, with what the same person decides with: whoever knew the secret before gains
   * nothing. Throws `approval_forbidden`, and as `open` does.
   */
  addApprover(session: Session, token: string, request: Request): Promise<OpenedSession>;
  close(session: Session): Promise<void>;
  /** Everybody's, the last used first; nothing in them signs anybody in. Throws `store_unavailable`. */
  list(): Promise<readonly SessionRecord[]>;
  /** Ends another session; what is open in it ends with its next event. False: there is none of that id. */
  end(id: string, by: Principal): Promise<boolean>;
}

/** A use is written down this often, milliseconds. */
const USE_MS = 60_000;

export function createSessions(options: SessionsOptions): Sessions {
  const { records, codes, provider, idleMs, absoluteMs, mode, record, now = Date.now } = options;
  const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl);
  const ofProcess = newSecret();
  const credentials = createSessionCredentials({ machineKey: async () => ofProcess, ...options });
  const attempts = createAttempts(now);
  const limits = (): SessionLimits => ({ createdAfter: now() - absoluteMs, usedAfter: now() - idleMs });
  const note = (type: AdminEvent['type'], id: string, { organisation, ...who }: Principal, change: string) =>
    record?.({ type, organisation: organisation ?? '', principal: who.id, subject: id.slice(0, 16), change });

  /** Undefined where it has ended; then nothing is left of it. */
  const read = async (secret: string): Promise<Session | undefined> => {
    const id = idOf(secret);
    const kept = await (await records()).get(id, limits());
    if (kept === undefined) return undefined;
    const principal = await standing(kept.credential, secret);
    if (principal === undefined) {
      // a proof may be of another gateway of the same store
      if (!('proof' in kept.credential)) await (await records()).remove(id);
      return undefined;
    }
    const approver = kept.approver && (await standing(kept.approver, secret));
    if (now() - kept.usedAt >= USE_MS) await (await records()).use(id, now());
    return sessionOf(secret, kept.credential, principal, approver, kept.createdAt);
  };
  const standing = async (credential: SessionCredential, secret: string): Promise<Principal | undefined> => {
    try {
      return await credentials.again(credential, secret);
    } catch (error) {
      if (isToolcribError(error) && error.code === 'unauthorized') return undefined;
      throw error;
    }
  };
  const sessionOf = (
    secret: string,
    credential: SessionCredential,
    principal: Principal,
    approver: Principal | undefined,
    createdAt: number,
  ): Session => {
    const kind = kindOf(credential, principal);
    const decides = decidesBy(credential, principal) ?? approver;
    return {
      id: idOf(secret),
      kind,
      openedWith: openedWith(credential),
      // where nobody needs a credential, one that decides takes nothing away
      principal: kind === 'approver' && mode === 'open' ? LOCAL_PRINCIPAL : principal,
      ...(decides === undefined ? {} : { decides }),
      csrf: csrfOf(secret),
      expiresAt: Math.min(createdAt + absoluteMs, principal.expiresAt ?? Number.POSITIVE_INFINITY),
      async still() {
        if ((await read(secret)) === undefined) throw ended();
      },
    };
  };
  const shown = async (token: string, secret: string, signal: AbortSignal) => {
    const isGuess = !isBeyondGuessing(token);
    if (isGuess) attempts.check();
    try {
      return await credentials.show(token, secret, signal);
    } catch (error) {
      if (isGuess && isToolcribError(error) && error.code === 'unauthorized') attempts.failed();
      throw error;
    }
  };
  const presented = async (input: SignInInput, secret: string, signal: AbortSignal) => {
    if ('token' in input) return shown(input.token, secret, signal);
    if (await codes?.use(input.code)) return credentials.owner(secret);
    throw new ToolcribError(
      'unauthorized',
      'This sign-in link was used already, is older than 5 minutes, or is of a gateway with another state directory.',
      {
        next: 'Run `toolcrib console` on the machine of the gateway for a new one, as what started the gateway says.',
      },
    );
  };

  const opened = async ({ principal, credential }: Shown, secret: string, before?: string) => {
    const kept = await records();
    const at = now();
    await kept.insert({ id: idOf(secret), credential, createdAt: at, usedAt: at }, limits());
    if (before !== undefined) await kept.remove(idOf(before));
    const session = sessionOf(secret, credential, principal, undefined, at);
    note('session-opened', session.id, principal, `${session.kind} signed in`);
    return { session, secret };
  };

  return {
    mode,
    absoluteMs,
    provider,
    async find(request) {
      const secret = readCookie(request, knownOrigin(request, publicUrl));
      if (secret === undefined || request.headers.has('authorization') || !isSameOrigin(request))
        return undefined;
      return read(secret);
    },
    checkCsrf(request, { csrf }) {
      if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
      const given = request.headers.get('x-csrf-token');
      if (given === null || !sameText(given, csrf)) {
        throw new ToolcribError('csrf_refused', "The request does not show its session's CSRF token.");
      }
    },
    knowsLink: async (id) => (await codes?.waits(id)) ?? false,
    async open(input, request) {
      if (!isSameOrigin(request)) {
        throw new ToolcribError('host_refused', 'Another site signs nobody in here.');
      }
      const at = knownOrigin(request, publicUrl);
      const from = request.headers.get('origin');
      if (at?.startsWith('https:') && from?.startsWith('http:')) {
        // its cookie would go in the clear, and not be believed
        throw new ToolcribError('host_refused', 'This page came in the clear, and the console is at https.', {
          next: `Open ${at}.`,
        });
      }
      const secret = newSecret();
      return opened(await presented(input, secret, request.signal), secret, readCookie(request, at));
    },
    async openAnswered(answer, signal) {
      if (provider === undefined) throw new ToolcribError('not_found', 'Nobody signs in at a provider here.');
      const { principal, reference } = await provider.finish(answer, signal);
      return opened({ principal, credential: reference }, newSecret());
    },
    async addApprover(session, token, request) {
      const secret = newSecret();
      const { principal, credential: approver } = await shown(token, secret, request.signal);
      checkSamePerson(session, principal);
      const all = await records();
      const kept = await all.get(session.id, limits());
      if (kept === undefined || !(await all.remove(session.id))) throw ended();
      const { createdAt } = kept;
      const credential = await credentials.carry(kept.credential, secret);
      await all.insert({ id: idOf(secret), credential, approver, createdAt, usedAt: now() }, limits());
      const opened = sessionOf(secret, credential, session.principal, principal, createdAt);
      note('session-opened', opened.id, principal, 'may decide approvals');
      return { session: opened, secret };
    },
    list: async () => (await records()).list(limits()),
    async end(id, by) {
      const ended = await (await records()).remove(id);
      if (ended) note('session-closed', id, by, 'ended by the owner');
      return ended;
    },
    async close(session) {
      if (await (await records()).remove(session.id)) {
        note('session-closed', session.id, session.principal, `${session.kind} signed out`);
      }
    },
  };
}

function kindOf(credential: SessionCredential, { purpose }: Principal): SessionKind {
  if (credential.kind === 'owner' || credential.kind === 'token') return credential.kind;
  return purpose === 'approve' ? 'approver' : 'user';
}

/**
 * Whoever signed in at the provider was there in person: no client that calls tools holds what this session was opened
 * with, so that it decides as a key that was made for it does. Undefined: nobody decides by this credential.
 */
function decidesBy(credential: SessionCredential, principal: Principal): Principal | undefined {
  if (credential.kind === 'owner' || principal.purpose === 'approve') return principal;
  return openedWith(credential) === 'provider'
    ? { ...principal, purpose: 'approve', sources: [] }
    : undefined;
}

/** Two credentials of one person; the operator's two count as such. Throws `approval_forbidden`. */
function checkSamePerson({ kind, principal }: Session, approver: Principal): void {
  const same =
    approver.purpose === 'approve' &&
    (kind === 'token'
      ? approver.kind === 'token'
      : kind === 'user' &&
        approver.kind === 'user' &&
        approver.id === principal.id &&
        approver.organisation !== undefined &&
        approver.organisation === principal.organisation);
  if (same) return;
  throw new ToolcribError(
    'approval_forbidden',
    'A session takes a second credential only of the same user of the same organisation, made for deciding.',
    { next: "Use the user's own key with the purpose `approve`, or sign in with it alone." },
  );
}

function ended(): ToolcribError {
  return new ToolcribError('unauthorized', 'The session has ended.', { next: 'Sign in again.' });
}
