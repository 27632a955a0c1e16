import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, onSignedOut, setCsrfToken } from './client.ts';

/** What `GET /api/v1/session` answers. */
export interface Session {
  /** How the gateway lets callers in: `open` on loopback, one token, or a team's keys. */
  readonly mode: 'open' | 'token' | 'team';
  readonly signedIn: boolean;
  /** `owner`: of the machine, by a one-time code. */
  readonly kind?: 'owner' | 'token' | 'user' | 'approver';
  readonly principal?: {
    readonly id: string;
    readonly kind: 'local' | 'token' | 'user';
    readonly name?: string;
    readonly organisation?: string;
    readonly roles: readonly string[];
  };
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

async function readSession(): Promise<Session> {
  const session = await api<Session>('GET', '/session');
  setCsrfToken(session.csrf);
  return session;
}

/** Who is at this browser, asked again when a request is refused for want of a session. */
export function useSession() {
  const client = useQueryClient();
  useEffect(() => onSignedOut(() => void client.invalidateQueries({ queryKey: SESSION })), [client]);
  return useQuery({ queryKey: SESSION, queryFn: readSession, staleTime: 60_000 });
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

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api<void>('DELETE', '/session'),
    onSettled() {
      setCsrfToken(undefined);
      // nobody waits for it: while the gateway cannot be reached it is tried again and again
      void client.resetQueries();
    },
  });
}

/** Who is signed in is known at once; nothing of the caller before is shown until it was read again. */
function begin(client: QueryClient, session: Session): void {
  setCsrfToken(session.csrf);
  client.setQueryData(SESSION, session);
  void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
}
