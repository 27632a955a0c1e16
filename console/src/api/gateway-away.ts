import { useStreamFailure } from './event-stream.ts';
import { useSession } from './session.ts';

/** The gateway does not answer: what is shown may be old, and is read again by itself. */
export function useIsAway(): boolean {
  const session = useSession();
  const failure = useStreamFailure();
  return session.failureReason !== null || failure?.refused === false;
}
