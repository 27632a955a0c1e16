import { expect, it } from 'vitest';
import { noteAttempts } from '../../../src/executors/http/note-attempt.ts';
import type { AttemptResult } from '../../../src/executors/http/retry.ts';
import type { Call } from '../../../src/operations/index.ts';

it.each<[AttemptResult, string]>([
  [{ kind: 'response', status: 503 }, 'status 503'],
  [{ kind: 'response', status: 200, sessionEnded: true }, 'session ended'],
  [{ kind: 'connect_refused' }, 'connect refused'],
])('says why there is another attempt: %j', (after, because) => {
  const noted: unknown[] = [];
  const steps = { note: (...step: unknown[]) => void noted.push(step[3]) };
  const note = noteAttempts({ facts: { steps } } as unknown as Call);
  note!({ attempt: 2, started: 0, result: { kind: 'response', status: 200 }, waitedMs: 0, after });
  expect(noted).toEqual([{ attempt: 2, status: 200, because }]);
});
