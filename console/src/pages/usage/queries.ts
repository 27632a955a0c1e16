import { useQuery } from '@tanstack/react-query';
import type { BudgetUse } from '../../../../gateway/src/operations/index.ts';
import type { UsageQuery, UsageRow } from '../../../../gateway/src/server/http/admin/gateway-admin.ts';
import { api } from '../../api/client.ts';

export type { UsageRow };
export type UsageGroup = UsageQuery['groupBy'];

/** Days are UTC, `2026-11-21`, both included. */
export interface UsageFilter {
  readonly from: string;
  readonly to: string;
  readonly source?: string | undefined;
  readonly user?: string | undefined;
  readonly operation?: string | undefined;
}

export function useUsage(filter: UsageFilter, groupBy: UsageGroup) {
  return useQuery({
    queryKey: ['usage', groupBy, filter],
    queryFn: async ({ signal }) =>
      (await api<{ usage: readonly UsageRow[] }>('GET', '/usage', { query: { ...filter, groupBy }, signal }))
        .usage,
    refetchInterval: 30_000,
    placeholderData: (before) => before,
  });
}

export function useBudgets() {
  return useQuery({
    queryKey: ['budgets'],
    queryFn: async ({ signal }) =>
      (await api<{ budgets: readonly BudgetUse[] }>('GET', '/budgets', { signal })).budgets,
    refetchInterval: 30_000,
  });
}
