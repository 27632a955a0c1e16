import { QueryClient } from '@tanstack/react-query';
import { ApiError, UnreachableError } from './api-error.ts';
import { retryDelay } from './retry-delay.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // what was read counts while it is followed: in between a change is heard by nobody
      queries: { retry: again, retryDelay, staleTime: 0 },
      // a credential that was sent, or a key that was shown once, goes with what sent it
      mutations: { retry: false, gcTime: 0 },
    },
  });
}

/** A refusal stays one however often it is asked again; an unreachable gateway may come back, however late. */
function again(count: number, error: Error): boolean {
  if (error instanceof UnreachableError) return true;
  return !(error instanceof ApiError) && count < 2;
}
