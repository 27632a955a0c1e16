import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ApiKey,
  CreatedKey,
  KeyAccess,
  Organisation,
  Role,
  User,
} from '../../../../gateway/src/principals/directory/records.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { readAgain } from '../../api/read-again.ts';
import { nameOrder } from '../../components/name-order.ts';

const PEOPLE = 'people';

/** Reads the lists again when somebody changes one of them, here or elsewhere. */
export function useFollowedPeople(): void {
  const again = useReadAgain();
  useChanges({ types: ['organisation-changed', 'user-changed', 'key-changed', 'access-changed'] }, again);
}

function useReadAgain(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all([
      readAgain(client, { queryKey: [PEOPLE] }),
      readAgain(client, { queryKey: ['organisations'] }),
    ]);
}

function sorted(users: readonly User[]): readonly User[] {
  const byName = nameOrder();
  return [...users].sort((a, b) => byName(a.name, b.name));
}

export function useUsers(organisation: string) {
  return useQuery({
    queryKey: [PEOPLE, 'users', organisation],
    queryFn: ({ signal }) =>
      api<{ users: readonly User[] }>('GET', '/users', { query: { organisation }, signal }),
    select: ({ users }) => sorted(users),
  });
}

export function useKeys(organisation: string) {
  return useQuery({
    queryKey: [PEOPLE, 'keys', organisation],
    queryFn: ({ signal }) =>
      api<{ keys: readonly ApiKey[] }>('GET', '/keys', { query: { organisation }, signal }),
    select: ({ keys }) => keys,
  });
}

export function useRoles(organisation: string) {
  return useQuery({
    queryKey: [PEOPLE, 'roles', organisation],
    queryFn: ({ signal }) =>
      api<{ roles: readonly Role[] }>('GET', '/roles', { query: { organisation }, signal }),
    select: ({ roles }) => roles,
  });
}

/** Names of sources, for what a key may be limited to. */
export function useSourceNames() {
  return useQuery({
    queryKey: [PEOPLE, 'sources'],
    queryFn: ({ signal }) => api<{ sources: readonly { name: string }[] }>('GET', '/sources', { signal }),
    select: ({ sources }) => sources.map(({ name }) => name),
  });
}

/** Sends a change and reads the lists again. */
function useChange<Input, Output>(send: (input: Input) => Promise<Output>) {
  const again = useReadAgain();
  return useMutation({ mutationFn: send, onSuccess: () => void again() });
}

export interface NewUser {
  readonly organisation: string;
  readonly name: string;
  readonly email: string | null;
  readonly subject: string | null;
  readonly roles: readonly string[];
}

/** What is absent stays as it is. */
export interface ChangedUser extends Partial<Omit<NewUser, 'organisation'>> {
  readonly id: string;
  readonly status?: 'active' | 'disabled';
}

export const useCreateUser = () => useChange((user: NewUser) => api<User>('POST', '/users', { body: user }));

export const useUpdateUser = () =>
  useChange(({ id, ...body }: ChangedUser) =>
    api<User>('PATCH', `/users/${encodeURIComponent(id)}`, { body }),
  );

export const useRemoveUser = () =>
  useChange((id: string) => api<void>('DELETE', `/users/${encodeURIComponent(id)}`));

export interface NewKey {
  readonly user: string;
  readonly name: string;
  readonly maxAccess: KeyAccess;
  readonly sources: readonly string[] | null;
  readonly expiresInDays: number;
  readonly purpose?: 'approve';
}

export const useCreateKey = () => useChange((key: NewKey) => api<CreatedKey>('POST', '/keys', { body: key }));

export const useRevokeKey = () =>
  useChange((id: string) => api<void>('DELETE', `/keys/${encodeURIComponent(id)}`));

export interface SetRole {
  readonly organisation: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** What it was changed from; null: there was none. */
  readonly before: readonly string[] | null;
}

export const useSetRole = () =>
  useChange(({ name, ...body }: SetRole) => api<Role>('PUT', `/roles/${encodeURIComponent(name)}`, { body }));

export const useRemoveRole = () =>
  useChange(({ organisation, name }: Pick<SetRole, 'organisation' | 'name'>) =>
    api<void>('DELETE', `/roles/${encodeURIComponent(name)}`, { query: { organisation } }),
  );

export const useCreateOrganisation = () =>
  useChange((organisation: { readonly name: string; readonly id?: string }) =>
    api<Organisation>('POST', '/orgs', { body: organisation }),
  );

export const useRemoveOrganisation = () =>
  useChange((id: string) => api<void>('DELETE', `/orgs/${encodeURIComponent(id)}`));
