import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CandidateCost, FlowTokens, ToolTokens } from '../../../../gateway/src/operations/index.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { readAgain } from '../../api/read-again.ts';

/** What `GET /api/v1/tokens` answers. */
export interface TokenCosts {
  readonly listed: {
    readonly topologies: readonly string[];
    readonly tools: number;
    readonly tokens: number;
    readonly outputSchemas: number;
  };
  readonly configured: { readonly topology: string; readonly budget: number };
  readonly topologies: readonly TopologyCost[];
  readonly budget: number;
  readonly auto?: {
    readonly took: string;
    readonly tools: number;
    readonly tokens: number;
    readonly fits: boolean;
    readonly considered: ReadonlyArray<CandidateCost & { readonly fits: boolean }>;
  };
  readonly largest?: { readonly topology: string; readonly tools: readonly ToolTokens[] };
  /** Name of the operation that finding and calling is measured with. */
  readonly operation?: string;
}

export interface TopologyCost {
  readonly name: string;
  readonly tools: number;
  readonly tokens: number;
  readonly flow?: FlowTokens;
}

interface Asked {
  /** Undefined: the configured one. */
  readonly budget: number | undefined;
  readonly topology: string | undefined;
  /** Id of whose list it is; empty: the caller's. */
  readonly as: string;
}

/** Costs within a budget; what was there before stays while another is asked for, but never another person's. */
export function useTokenCosts({ budget, topology, as }: Asked) {
  const client = useQueryClient();
  useChanges({ types: ['catalog-swapped', 'access-changed', 'connection-changed', 'feature-changed'] }, () =>
    readAgain(client, { queryKey: ['tokens'] }),
  );
  return useQuery({
    queryKey: ['tokens', as, budget, topology],
    queryFn: ({ signal }) => api<TokenCosts>('GET', '/tokens', { query: { budget, topology, as }, signal }),
    placeholderData: (before, query) => (query?.queryKey[1] === as ? before : undefined),
  });
}
