import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  skipToken,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { FeatureState } from '../../../../gateway/src/features/feature-switches.ts';
import type { AccessChange } from '../../../../gateway/src/principals/access/access-records.ts';
import type { Level } from '../../../../gateway/src/principals/directory/records.ts';
import type {
  AccessMatrix,
  AccessPreview,
  OperationsPage,
} from '../../../../gateway/src/server/http/admin/access-administration.ts';
import type { SharedMatrix } from '../../../../gateway/src/server/http/routes/access/share-cells.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { readAgain } from '../../api/read-again.ts';
import { WRITTEN } from '../../api/written.ts';
import { namesOf } from '../../components/people/names-of.ts';
import { withCells } from './with-cells.ts';

const ACCESS = 'access';

/** Events after which somebody's access may be another. */
const CHANGES = [
  'organisation-changed',
  'user-changed',
  'access-changed',
  'connection-changed',
  'feature-changed',
  'catalog-swapped',
];

/** Reads everything of this page again when somebody changes access, here or elsewhere. */
export function useFollowedAccess(): void {
  const client = useQueryClient();
  useChanges({ types: CHANGES }, () => readAccessAgain(client));
  // one that was removed is no longer there to be looked at
  useChanges({ types: ['organisation-changed'] }, () => readAgain(client, { queryKey: ['organisations'] }));
}

export function readAccessAgain(client: QueryClient): Promise<void> {
  return readAgain(client, { queryKey: [ACCESS] });
}

export function useMatrix(organisation: string | undefined, q: string) {
  return useInfiniteQuery({
    queryKey: [ACCESS, 'matrix', organisation, q],
    async queryFn({ pageParam, signal }) {
      const query = { organisation, q, cells: 'shared', cursor: pageParam };
      return withCells(await api<SharedMatrix>('GET', '/access/matrix', { query, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    select: toldApart,
  });
}

/** Each person by a name that no other one has. */
function toldApart({ pages, ...data }: InfiniteData<AccessMatrix, string | undefined>) {
  const names = namesOf(pages.flatMap(({ rows }) => rows));
  const named = ({ rows }: AccessMatrix) => rows.map((row) => ({ ...row, name: names.get(row.id)! }));
  return { ...data, pages: pages.map((page) => ({ ...page, rows: named(page) })) };
}

/** Levels that were set, as they were set. */
export function useLevels(organisation: string | undefined) {
  return useQuery({
    queryKey: [ACCESS, 'levels', organisation],
    queryFn: ({ signal }) =>
      api<{ levels: readonly Level[] }>('GET', '/access', { query: { organisation }, signal }),
    select: ({ levels }) => levels,
  });
}

export interface OperationsAsked {
  readonly organisation?: string | undefined;
  readonly user?: string | undefined;
  readonly source?: string | undefined;
  readonly q: string;
  readonly show: 'all' | 'visible' | 'hidden';
}

export function useOperations(asked: OperationsAsked) {
  return useInfiniteQuery({
    queryKey: [ACCESS, 'operations', asked],
    queryFn: ({ pageParam, signal }) =>
      api<OperationsPage>('GET', '/access/operations', {
        query: { ...asked, cursor: pageParam, limit: 25 },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** Groups of operations that can be switched off; a gateway may have none. */
export function useFeatures() {
  return useQuery({
    queryKey: [ACCESS, 'features'],
    queryFn: ({ signal }) => api<{ features: readonly FeatureState[] }>('GET', '/features', { signal }),
    select: ({ features }) => features,
    retry: false,
  });
}

export interface Edits {
  readonly organisation: string | undefined;
  /** Of the matrix that they were made from. */
  readonly version: string | undefined;
  readonly changes: readonly AccessChange[];
}

const NO_EDITS: Omit<Edits, 'organisation'> = { version: undefined, changes: [] };

/** Edits that are not saved; another page of the console does not cost them, another person does. */
export function useKeptEdits(organisation: string) {
  const client = useQueryClient();
  const queryKey = ['access-edits', organisation];
  const { data = NO_EDITS } = useQuery<Omit<Edits, 'organisation'>>({
    queryKey,
    queryFn: skipToken,
    ...WRITTEN,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const keep = (edits: Omit<Edits, 'organisation'>) => void client.setQueryData(queryKey, edits);
  return [data, keep] as const;
}

/** What the edits would bring; asked again with each of them. */
export function usePreview(edits: Edits) {
  return useQuery({
    queryKey: [ACCESS, 'preview', edits],
    queryFn: ({ signal }) =>
      api<AccessPreview>('POST', '/access/preview', { body: edits, signal, isCheck: true }),
    enabled: edits.changes.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function useSave(onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edits: Edits) => api<{ version: string }>('POST', '/access/changes', { body: edits }),
    onSuccess() {
      onSaved();
      // nobody waits for it: while the gateway cannot be reached it is tried again and again
      void readAccessAgain(client);
    },
  });
}
