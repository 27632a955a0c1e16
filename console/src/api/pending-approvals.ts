import type { QueryClient } from '@tanstack/react-query';
import { api } from './client.ts';

interface Pending {
  readonly pending: number;
}

/** How many calls wait for this person: asked on every page. */
export const PENDING_APPROVALS = {
  queryKey: ['approvals', 'count'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    api<Pending>('GET', '/approvals/pending', { signal }),
} as const;

export function pendingOf(client: QueryClient): number | undefined {
  return client.getQueryData<Pending>(PENDING_APPROVALS.queryKey)?.pending;
}

/** One of `before` is decided. Until it is read again, which may take its time; the news of it may have been quicker. */
export function onePendingLess(client: QueryClient, before: number | undefined): void {
  client.setQueryData<Pending>(PENDING_APPROVALS.queryKey, (now) =>
    now === undefined || before === undefined
      ? now
      : { ...now, pending: Math.min(now.pending, Math.max(0, before - 1)) },
  );
}
