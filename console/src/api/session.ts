import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { ApiError } from './api-error.ts';
import { api, onSessionDoubted, onTokenRefused, setSessionToken } from './client.ts';
import { gatewayNow } from './gateway-clock.ts';
import { readAgain } from './read-again.ts';
import { tellSessionChanged } from './session-news.ts';
import { isWritten } from './written.ts';

/** What `GET /api/v1/session` answers. */
export interface Session {
  /** How the gateway lets callers in: `open` on loopback, one token, or a team's keys. */
  readonly mode: 'open' | 'token' | 'team';
  readonly signedIn: boolean;
  /** Where people sign in, at `/sign-in/provider`. */
  readonly provider?: { readonly name: string };
  /** `owner`: of the machine, by a one-time code. */
  readonly kind?: 'owner' | 'token' | 'user' | 'approver';
  readonly openedWith?: 'owner' | 'token' | 'approver' | 'key' | 'sign-in' | 'provider';
  readonly principal?: {
    readonly id: string;
    readonly kind: 'local' | 'token' | 'user';
    readonly name?: string;
    readonly organisation?: string;
    readonly roles: readonly string[];
  };
  /** Of a user: whether it holds a role that decides about calls of others, and which ones do. */
  readonly approver?: { readonly is: boolean; readonly roles: readonly string[] };
  readonly csrf?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly can: {
    /** Approvals. */
    readonly decide: boolean;
    /** What concerns the whole gateway. */
    readonly operate: boolean;
    /** What would let its caller run programs or change definitions. */
    readonly own: boolean;
    /** The organisation's users, keys and levels. */
    readonly administer: boolean;
  };
  readonly gateway: { readonly name: string; readonly version: string };
}

const SESSION = ['session'] as const;

const READ_SESSION = queryOptions({
  queryKey: SESSION,
  async queryFn({ signal }) {
    const session = await api<Session>('GET', '/session', { signal });
    // whoever signed in meanwhile is not signed out by what was asked before
    signal.throwIfAborted();
    keepToken(session);
    return session;
  },
  staleTime: 60_000,
});

/** What is being asked now may be of the session before. */
async function readSessionAgain(client: QueryClient): Promise<Session> {
  await client.cancelQueries({ queryKey: SESSION });
  return client.fetchQuery({ ...READ_SESSION, staleTime: 0 });
}

function keepToken(session: Session): void {
  const { csrf } = session;
  setSessionToken(csrf === undefined ? undefined : { csrf, person: personOf(session) });
}

/** Asked at the end of a session: where the gateway cannot say who is signed in by now, nobody is. */
async function endSession(client: QueryClient, { mode, provider, gateway }: Session): Promise<void> {
  await client.cancelQueries({ queryKey: SESSION });
  try {
    await client.fetchQuery({ ...READ_SESSION, staleTime: 0, retry: false });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const can = { decide: false, operate: false, own: false, administer: false };
    const nobody = { mode, gateway, signedIn: false, can, ...(provider === undefined ? {} : { provider }) };
    client.setQueryData<Session>(SESSION, nobody);
    await client.invalidateQueries({ queryKey: SESSION });
  }
}

/** Two sessions of the same person are the same. */
export function personOf({ kind, principal }: Session): string {
  return `${kind ?? 'nobody'} ${principal?.organisation ?? ''} ${principal?.id ?? ''}`;
}

/** Who is at this browser. */
export function useSession() {
  return useQuery(READ_SESSION);
}

/**
 * Once a page: asks who is at this browser again when a request is refused for want of a session, and reads everything
 * again when it is another person, who may have signed in in another tab.
 */
export function useSessionWatch(): void {
  const client = useQueryClient();
  const { data: session } = useSession();
  useEffect(() => onSessionDoubted(() => void readAgain(client, { queryKey: SESSION })), [client]);
  useEffect(() => onTokenRefused(() => readSessionAgain(client)), [client]);
  useEffect(() => {
    if (session?.expiresAt === undefined) return;
    return atTime(
      Date.parse(session.expiresAt),
      () => void endSession(client, session).catch(() => undefined),
    );
  }, [client, session]);
  useEffect(() => {
    if (session === undefined || !isInside(session)) return;
    const isFirst = known === undefined;
    if (!isBack(session) && !isFirst) resetOthers(client);
  }, [client, session]);
}

/** A timer of a browser runs for 24 days at most: what ends later is read again by then. */
function atTime(time: number, then: () => void): () => void {
  const left = time - gatewayNow();
  if (left >= 2 ** 31) return () => undefined;
  const timer = setTimeout(then, left);
  return () => clearTimeout(timer);
}

/** Nobody is told to sign in first. */
export function isInside({ signedIn, mode }: Session): boolean {
  return signedIn || mode === 'open';
}

/**
 * Called before anything is painted while the session in which it was first drawn is over, or is somebody else's by now:
 * for what is shown once, in a form that stays. What was asked for before may still arrive, so it is called each time.
 */
export function useSessionOver(forget: () => void): void {
  const { first, person } = usePersons();
  useLayoutEffect(() => {
    if (person !== first) forget();
  });
}

/** Called once somebody else is signed in than when this was first drawn: what one wrote, the other does not see. */
export function useOtherPerson(leave: () => void): void {
  const { first, person } = usePersons();
  const isOther = first !== undefined && person !== undefined && person !== first;
  const onOther = useEffectEvent(leave);
  useLayoutEffect(() => {
    if (isOther) onOther();
  }, [isOther]);
}

/** Whose session it is, and whose it was when this was first drawn. Undefined: nobody's. */
function usePersons() {
  const { data: session } = useSession();
  const person = session !== undefined && isInside(session) ? personOf(session) : undefined;
  const [first] = useState(person);
  return { first, person };
}

/** Whose everything is that was read and written on this page. */
let known: string | undefined;

/** Somebody was at this page, and did not sign out on it. */
export function wasInside(): boolean {
  return known !== undefined;
}

/** Of another person nothing is kept; whoever comes back finds what they wrote. */
function isBack(session: Session): boolean {
  const before = known;
  known = personOf(session);
  return before === known;
}

/** Signs in; everything that was read before is read again as the new caller. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credential: { readonly code: string } | { readonly token: string }) =>
      api<Session>('POST', '/session', { body: credential }),
    onSuccess: (session) => begin(client, session),
  });
}

/** Adds the key with which the same user decides approvals. */
export function useAddApprover() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => api<Session>('POST', '/session/approver', { body: { token } }),
    onSuccess: (session) => begin(client, session),
  });
}

/** Signed out: nothing of whoever it was is kept. */
export function forgetSession(client: QueryClient): void {
  setSessionToken(undefined);
  known = undefined;
  tellSessionChanged();
  // nobody waits for it: while the gateway cannot be reached it is tried again and again
  void client.resetQueries();
}

/** Who is signed in is known at once; nothing of the caller before is shown until it was read again. */
async function begin(client: QueryClient, session: Session): Promise<void> {
  await client.cancelQueries({ queryKey: SESSION });
  keepToken(session);
  tellSessionChanged();
  client.setQueryData(SESSION, session);
  resetOthers(client, isBack(session));
}

function resetOthers(client: QueryClient, keepsWritten = false): void {
  void client.resetQueries({
    predicate: (query) => query.queryKey[0] !== SESSION[0] && !(keepsWritten && isWritten(query)),
  });
}
