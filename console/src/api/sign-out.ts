import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { UnreachableError } from './api-error.ts';
import { api } from './client.ts';
import { retryDelay } from './retry-delay.ts';
import { forgetSession } from './session.ts';

const SIGN_OUT = ['sign-out'] as const;

/** Tried until the gateway hears of it: only that takes the cookie away. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: () => api<void>('DELETE', '/session'),
    retry: (_count, error) => error instanceof UnreachableError,
    retryDelay,
    onSettled: () => forgetSession(client),
  });
}

/** Somebody signs out, and the gateway does not answer. */
export function useSignsOutLater(): boolean {
  const waiting = useMutationState({
    filters: { mutationKey: SIGN_OUT, status: 'pending' },
    select: ({ state }) => state.isPaused || state.failureCount > 0,
  });
  return waiting.includes(true);
}
