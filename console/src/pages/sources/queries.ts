import { queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConnectionStatus, JsonObject } from '../../../../gateway/src/operations/index.ts';
import type {
  KeptDocument,
  SourceChange,
  SourceOptions,
  SourcePlan,
  SourceReport,
  SourceState,
} from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { readAgain } from '../../api/read-again.ts';

/** A source as the caller may see it: a user of a team is told less. */
export type ShownSource = Partial<SourceState> &
  Pick<SourceState, 'name' | 'kind' | 'health' | 'operations'> & { readonly connection?: ConnectionStatus };

export type ShownReport = Partial<Omit<SourceReport, 'source'>> & { readonly source: ShownSource };

/** What `POST /skills/import` answers. */
export interface SkillImport {
  readonly skills: ReadonlyArray<{
    readonly id: string;
    readonly refused?: { readonly code: string; readonly message: string };
    readonly compiled_ok: number;
    readonly invalid: ReadonlyArray<{ readonly place: string; readonly error: string }>;
    readonly shadowed: readonly string[];
  }>;
  readonly compiled_ok: number;
  readonly invalid_tools: number;
  readonly findings?: readonly string[];
}

const SOURCES = ['sources'] as const;
/** What a page of sources shows changes with these. */
const CHANGES = {
  types: ['source-*', 'catalog-swapped', 'tool-quarantined', 'upstream-*', 'connection-changed'],
};
/** While something is being read no event says how far it is. */
const STARTING_MS = 2_000;

/** Whatever changes about sources is read again by every query of this page. */
export function useSourceEvents(): void {
  const client = useQueryClient();
  useChanges(CHANGES, () => readAgain(client, { queryKey: SOURCES }));
}

export function useSources() {
  return useQuery({
    queryKey: [...SOURCES, 'list'],
    queryFn: async ({ signal }) =>
      (await api<{ sources: readonly ShownSource[] }>('GET', '/sources', { signal })).sources,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ health }) => health === 'starting') ? STARTING_MS : false,
  });
}

export function useSource(name: string) {
  return useQuery({
    queryKey: [...SOURCES, 'one', name],
    queryFn: ({ signal }) => api<ShownReport>('GET', pathOf(name), { signal }),
    refetchInterval: ({ state: { data } }) => (data?.source.health === 'starting' ? STARTING_MS : false),
  });
}

const OPTIONS = queryOptions({
  queryKey: [...SOURCES, 'options'],
  queryFn: ({ signal }) => api<SourceOptions>('GET', '/source-options', { signal }),
});

export function useSourceOptions() {
  return useQuery(OPTIONS);
}

/** In the file, where there is one that can be written. */
export function usualKeep({ file }: SourceOptions): SourceChange['keep'] {
  return file?.writable ? 'file' : 'run';
}

/** A change whose place may be left to what the gateway offers, which may not be known yet. */
export type DraftChange = Omit<SourceChange, 'keep'> & { readonly keep: SourceChange['keep'] | undefined };

function useSendChange() {
  const client = useQueryClient();
  return async (change: DraftChange, dryRun = false) => {
    const keep = change.keep ?? usualKeep(await client.ensureQueryData(OPTIONS));
    return api<SourcePlan>('POST', '/sources', {
      body: { ...change, keep, ...(dryRun ? { dryRun } : {}) },
      isCheck: dryRun,
    });
  };
}

/** Whatever comes of it, what is shown is read again. */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // nobody waits for it: while the gateway cannot be reached it is tried again and again
    onSettled: () => void readAgain(client, { queryKey: SOURCES }),
  });
}

export const useRefresh = () =>
  useChange((name: string) => api<ShownSource>('POST', `${pathOf(name)}/refresh`));

export const useAccept = () =>
  // with the hash of what is shown: what the tool has become since then is another question
  useChange(({ tool, hash }: { readonly tool: string; readonly hash?: string }) =>
    api<{ accepted: readonly string[] }>('POST', '/catalog/accept', {
      body: { tool, ...(hash === undefined ? {} : { hash }) },
    }),
  );

export const useReject = () =>
  useChange((rejection: { readonly tool: string; readonly reason?: string }) =>
    api<{ rejected: string }>('POST', '/catalog/reject', { body: rejection }),
  );

/** What a change would do; changes nothing. */
export function useTrySource() {
  const send = useSendChange();
  return useMutation({ mutationFn: (change: DraftChange) => send(change, true) });
}

export function useSaveSource() {
  const send = useSendChange();
  return useChange((change: DraftChange) => send(change));
}

export interface Removal {
  readonly name: string;
  readonly keep: 'file' | 'run';
  readonly revision?: string | undefined;
  readonly dryRun?: boolean;
}

const removeSource = ({ name, ...query }: Removal) =>
  api<Pick<SourcePlan, 'name' | 'applied' | 'file'>>('DELETE', pathOf(name), { query });

/** What taking a source out would change in the file, once it is known where it is taken out. */
export function useRemovalPlan(name: string, keep: 'file' | 'run' | undefined) {
  return useQuery({
    queryKey: [...SOURCES, 'removal', name, keep],
    queryFn: keep === undefined ? skipToken : () => removeSource({ name, keep, dryRun: true }),
    staleTime: 0,
    gcTime: 0,
  });
}

export const useRemoveSource = () => useChange(removeSource);

export const keepDocument = (file: File) =>
  api<KeptDocument>('POST', '/source-documents', { query: { name: file.name }, body: file });

export const useImportSkill = () =>
  useChange((file: File) => {
    const form = new FormData();
    form.append('file', file, file.name);
    return api<SkillImport>('POST', '/skills/import', { body: form });
  });

export function pathOf(name: string): string {
  return `/sources/${encodeURIComponent(name)}`;
}

export type { JsonObject, SourceChange, SourceOptions, SourcePlan };
