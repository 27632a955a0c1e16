import { useQuery } from '@tanstack/react-query';
import type { GroupedFinding } from '../../../../gateway/src/doctor/finding.ts';
import { UnreachableError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';

export type { FindingGroup, GroupedFinding } from '../../../../gateway/src/doctor/finding.ts';

/** What `GET /api/v1/doctor` answers. */
export interface Examination {
  readonly ok: boolean;
  /** ISO 8601. */
  readonly time: string;
  readonly findings: readonly GroupedFinding[];
}

/** Takes seconds and asks services for a sign of life: run when the page opens and when asked to, never by itself. */
export function useExamination(enabled: boolean) {
  return useQuery({
    queryKey: ['doctor'],
    queryFn: ({ signal }) => api<Examination>('GET', '/doctor', { signal }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // what did not reach the gateway has asked nobody anything
    retry: (_, error) => error instanceof UnreachableError,
  });
}
