import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ShownArtifact } from '../../../../gateway/src/server/http/routes/artifacts/artifact-schemas.ts';
import { api, send } from '../../api/client.ts';
import { readAgain } from '../../api/read-again.ts';

export type Artifact = ShownArtifact;

export interface DescribedArtifact extends Artifact {
  /** The newest call that left it, where the event log still has that. */
  readonly call?: {
    readonly id: string;
    readonly tool: string;
    readonly source: string;
    readonly operation: string;
  };
}

/** The beginning of an artifact, or all of it. */
export interface ArtifactBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly whole: boolean;
}

interface ArtifactPage {
  readonly artifacts: readonly Artifact[];
  readonly next?: string;
}

/** An empty text is no filter. */
export interface ArtifactFilter {
  /** Text in the name. */
  readonly q: string;
  /** Whose, by id. */
  readonly user: string;
}

export function useArtifacts(filter: ArtifactFilter) {
  return useInfiniteQuery({
    queryKey: ['artifacts', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      api<ArtifactPage>('GET', '/artifacts', { query: { ...filter, limit: 50, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

export function useArtifact(id: string) {
  return useQuery({
    queryKey: ['artifacts', 'one', id],
    queryFn: ({ signal }) =>
      api<DescribedArtifact>('GET', `/artifacts/${encodeURIComponent(id)}/description`, { signal }),
  });
}

/** At most so many bytes from its beginning. What an id stands for never changes. */
export function useArtifactBytes({ id, size }: Pick<Artifact, 'id' | 'size'>, most: number) {
  return useQuery({
    queryKey: ['artifacts', 'bytes', id, most],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    queryFn: async ({ signal }): Promise<ArtifactBytes> => {
      const whole = size <= most;
      const response = await send('GET', `/artifacts/${encodeURIComponent(id)}`, {
        headers: { accept: '*/*', ...(whole ? {} : { range: `bytes=0-${most - 1}` }) },
        signal,
      });
      return { bytes: new Uint8Array(await response.arrayBuffer()), whole };
    },
  });
}

export function useRemoveArtifact() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api<void>('DELETE', `/artifacts/${encodeURIComponent(id)}`),
    onSettled: () => void readAgain(client, { queryKey: ['artifacts', 'list'] }),
  });
}
