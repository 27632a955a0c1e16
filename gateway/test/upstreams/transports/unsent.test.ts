import { expect, it } from 'vitest';
import { EgressFailure } from '../../../src/egress/egress.ts';
import { ToolcribError } from '../../../src/errors.ts';
import { isUnsent, UnsentError } from '../../../src/upstreams/transports/unsent.ts';

const coded = (code: string) => Object.assign(new Error(code), { code });
const within = (cause: unknown) => new Error('fetch failed', { cause });

it.each<[what: string, error: unknown, unsent: boolean]>([
  ['what says so', new UnsentError('x'), true],
  ['what says so, within', within(within(new UnsentError('x'))), true],
  ['an authorization server that is away', new ToolcribError('upstream_unreachable', 'x'), true],
  // it may have been carried out: sending it again could do it twice
  ['a connection that was reset', within(coded('ECONNRESET')), false],
  ['a pipe that broke', coded('EPIPE'), false],
  ['a time limit', coded('ETIMEDOUT'), false],
  [
    'a connection whose network went away',
    new EgressFailure('reset', 'all', 'x', { cause: coded('EHOSTUNREACH') }),
    false,
  ],
  ['another refusal', new ToolcribError('upstream_failed', 'x'), false],
  ['no error at all', 'ECONNREFUSED', false],
  ['nothing', undefined, false],
])('%s', (_, error, unsent) => {
  expect(isUnsent(error)).toBe(unsent);
});

it('an error that is its own cause is looked through to an end', () => {
  const error = new Error('round');
  error.cause = error;
  expect(isUnsent(error)).toBe(false);
});
