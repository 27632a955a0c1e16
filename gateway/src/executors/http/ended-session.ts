import type { EgressResponse } from '../../egress/index.ts';
import type { Operation } from '../../operations/index.ts';

interface EndedSession extends EgressResponse {
  readonly sessionEnded: true;
}

/** So that nobody who has the answer has to look into it again. */
export function withEndedSession(response: EgressResponse): EndedSession {
  return { ...response, sessionEnded: true };
}

/** The service says by it what others say by a 401, as the operator has described. */
export function isSessionEnded(response: EgressResponse): boolean {
  return 'sessionEnded' in response;
}

/** Beside an answer that is none by its status. */
export function endedNote({ access }: Operation, isRenewed: boolean): string {
  const effect =
    access === 'read'
      ? ''
      : ' This may have been carried out all the same: check its effect before you try again.';
  const cure = isRenewed
    ? 'The next call signs in anew.'
    : 'The service refuses the credential: the operator checks the one configured for this source.';
  return `By this answer the service says that the session is over.${effect} ${cure}`;
}
