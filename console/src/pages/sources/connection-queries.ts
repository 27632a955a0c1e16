import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccessLevel, ConnectionStatus } from '../../../../gateway/src/operations/index.ts';
import type { ConnectionRecord as StoredConnection } from '../../../../gateway/src/principals/directory/records.ts';
import type { ConnectSession } from '../../../../gateway/src/server/http/admin/gateway-admin.ts';
import { ApiError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { readAgain } from '../../api/read-again.ts';

/** An account of an organisation or a user at a provider, without its secrets. */
export type ConnectionRecord = Pick<
  StoredConnection,
  | 'id'
  | 'organisation'
  | 'user'
  | 'source'
  | 'name'
  | 'status'
  | 'region'
  | 'updatedAt'
  | 'credentials'
  | 'reconnectSince'
>;

/** Sources as the profile of the caller names them. */
export interface OwnSource {
  readonly name: string;
  readonly provider?: string;
  /** Absent: the operator records its accounts. */
  readonly integration?: string;
  readonly connection: ConnectionStatus;
  readonly level: AccessLevel;
}

const CONNECTIONS = ['sources', 'connections'] as const;

/** Undefined where the gateway keeps none: everybody uses the accounts of the configuration. */
export function useConnections() {
  return useQuery({
    queryKey: CONNECTIONS,
    queryFn: async ({ signal }) => {
      try {
        const { connections } = await api<{ connections: readonly ConnectionRecord[] }>(
          'GET',
          '/connections',
          {
            signal,
          },
        );
        return { kept: true, connections };
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') return { kept: false, connections: [] };
        throw error;
      }
    },
  });
}

/** What the caller may do with every source. */
export function useOwnSources() {
  return useQuery({
    queryKey: ['sources', 'own'],
    queryFn: async ({ signal }) =>
      (await api<{ capabilities: { sources: readonly OwnSource[] } }>('GET', '/config', { signal }))
        .capabilities.sources,
  });
}

/** Sources whose users connect accounts of their own, at Nango; undefined: not read yet. */
export function useConnectable(): readonly OwnSource[] | undefined {
  return useOwnSources().data?.filter(({ integration }) => integration !== undefined);
}

function useConnectionChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // nobody waits for it: while the gateway cannot be reached it is tried again and again
    onSettled: () => void readAgain(client, { queryKey: ['sources'] }),
  });
}

const pathOf = (id: string) => `/connections/${encodeURIComponent(id)}`;

/** A page of Nango on which the caller connects an account. */
export const useConnectSession = () =>
  useMutation({
    mutationFn: (source: string) => api<ConnectSession>('POST', '/connections/session', { body: { source } }),
  });

export const useReconnect = () =>
  useMutation({ mutationFn: (id: string) => api<ConnectSession>('POST', `${pathOf(id)}/reconnect`) });

export interface NewConnection {
  readonly source: string;
  readonly name?: string;
  readonly user?: string;
  readonly credentials: Readonly<Record<string, unknown>>;
}

export const useCreateConnection = () =>
  useConnectionChange((connection: NewConnection) =>
    api<ConnectionRecord>('POST', '/connections', { body: connection }),
  );

export const useUpdateConnection = () =>
  useConnectionChange(
    ({ id, ...changes }: { readonly id: string; readonly status: ConnectionRecord['status'] }) =>
      api<ConnectionRecord>('PATCH', pathOf(id), { body: changes }),
  );

export const useRemoveConnection = () => useConnectionChange((id: string) => api<void>('DELETE', pathOf(id)));
