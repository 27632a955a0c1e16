import type { Call, StepDetail } from '../../operations/index.ts';
import type { AttemptResult, EndedAttempt } from './retry.ts';

/** Notes every attempt at a request among the steps of its call; undefined where nobody tells its story. */
export function noteAttempts({ facts }: Call): ((ended: EndedAttempt) => void) | undefined {
  const steps = facts?.steps;
  if (steps === undefined) return undefined;
  return ({ attempt, started, result, waitedMs, after }) => {
    const good = result.kind === 'response' && result.status < 400;
    steps.note('attempt', started, good ? 'answered' : 'failed', {
      attempt,
      ...endOf(result),
      ...(waitedMs === 0 ? {} : { waitedMs }),
      ...(after === undefined ? {} : { because: reasonOf(after) }),
    });
  };
}

function endOf(result: AttemptResult): StepDetail {
  if (result.kind === 'response') return { status: result.status };
  return { failure: result.kind, ...(result.status === undefined ? {} : { status: result.status }) };
}

/** Kinds and numbers alone: a service's words are in no step. */
function reasonOf(result: AttemptResult): string {
  if (result.kind !== 'response') return result.kind.replaceAll('_', ' ');
  return result.sessionEnded ? 'session ended' : `status ${result.status}`;
}
