import type { Query } from '@tanstack/react-query';

/** Of a query that holds what somebody wrote here, and reads nothing: it is there again when they sign in again. */
export const WRITTEN = { meta: { written: true } } as const;

export function isWritten({ meta }: Pick<Query, 'meta'>): boolean {
  return meta?.['written'] === true;
}
