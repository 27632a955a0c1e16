import { EgressFailure } from '../../../src/egress/index.ts';
import { type FakeRoom, fakeRoom, type inner, operationOf } from './connector-under-test.ts';

export const READ = operationOf({ operationId: 'ListThings' });
export const WRITE = operationOf(
  {
    operationId: 'SendMail',
    method: 'POST',
    bindings: [{ in: 'body', name: '', arg: 'body', contentType: 'application/json' }],
    body: { contentType: 'application/json', required: false },
  },
  { access: 'write' },
);

export const failure = (kind: 'reset' | 'connect_refused' | 'timeout', sent: 'none' | 'all') =>
  new EgressFailure(kind, sent, `The connection failed (${kind})`);

/** Answers in turn, the last one from then on; what is thrown is a failure of the network. */
export function scripted(...answers: readonly (ReturnType<typeof inner> | Error)[]): FakeRoom {
  return fakeRoom((_, at) => {
    const answer = answers[Math.min(at, answers.length - 1)]!;
    if (answer instanceof Error) throw answer;
    return answer;
  });
}
