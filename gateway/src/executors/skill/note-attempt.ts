import type { Call } from '../../operations/index.ts';

/**
 * Notes an attempt that has ended among the steps of its call.
 * @param started in `performance.now()`
 * @param code of the error that it ended with
 */
export function noteAttempt(
  { operation, facts }: Call,
  attempt: number,
  started: number,
  code: string | undefined,
): void {
  facts?.steps?.note('attempt', started, code === undefined ? 'answered' : 'failed', {
    attempt,
    kind: operation.invocation.kind,
    ...(code === undefined ? {} : { code }),
  });
}
