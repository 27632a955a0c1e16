import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Reads these queries again because something changed. One that is being read for the first time is waited for before:
 * that answer may be older than the change, and to invalidate it alone would join it (TanStack Query, `cancelRefetch`).
 */
export async function readAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const first = client
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await Promise.allSettled(first.map(({ promise }) => promise));
  await client.invalidateQueries(filters);
}
