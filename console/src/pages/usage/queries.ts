import { useQuery } from '@tanstack/react-query';
import type { BudgetUse } from '../../../../gateway/src/operations/index.ts';
import { api } from '../../api/client.ts';

export type UsageGroup = 'day' | 'source' | 'user' | 'operation';

export interface UsageRow {
  /** The day, source, user or operation; null: calls of nobody in particular. */
  readonly key: string | null;
  readonly calls: number;
  readonly errors: number;
  /** All calls together, the average and the longest, milliseconds. */
  readonly durationMs: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

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
