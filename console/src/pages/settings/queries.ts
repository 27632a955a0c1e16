import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { readAgain } from '../../api/read-again.ts';

/** What `GET /api/v1/configuration` answers. */
export interface ShownConfiguration {
  readonly file: string | null;
  readonly version: string;
  readonly node: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly watched: boolean;
  readonly live: readonly string[];
  readonly afterRestart: readonly string[];
}

export function useConfiguration() {
  return useQuery({
    queryKey: ['configuration'],
    queryFn: ({ signal }) => api<ShownConfiguration>('GET', '/configuration', { signal }),
  });
}

/** One entry of `GET /api/v1/sessions`. */
export interface ListedSession {
  readonly id: string;
  readonly openedWith: 'owner' | 'token' | 'approver' | 'key' | 'sign-in' | 'provider';
  readonly credential?: string;
  readonly mayDecide: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly usedAt: string;
  readonly own: boolean;
}

const SESSIONS = ['sessions'] as const;

export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => api<{ sessions: readonly ListedSession[] }>('GET', '/sessions', { signal }),
  });
}

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api<void>('DELETE', `/sessions/${id}`),
    // nobody waits for it: while the gateway cannot be reached it is tried again and again
    onSettled: () => void readAgain(client, { queryKey: SESSIONS }),
  });
}
