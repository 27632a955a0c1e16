import { expect, test } from 'vitest';
import { markedQuestion, upstreamChannel } from '../../../src/executors/mcp/rounds.ts';

const requests = { name: { method: 'roots/list' } } as const;
const inputResponses = { name: { roots: [] } };

test('the answers to a server’s own question go back to it, with its own state', () => {
  const { state } = markedQuestion({ kind: 'input_required', requests, state: 'theirs' }, 'files');
  expect(upstreamChannel({ inputResponses, requestState: state! }, 'files')).toEqual({
    inputResponses,
    requestState: 'theirs',
  });
});

test('a question without a state stays one', () => {
  const { state } = markedQuestion({ kind: 'input_required', requests }, 'files');
  expect(upstreamChannel({ inputResponses, requestState: state! }, 'files')).toEqual({ inputResponses });
});

test.each([
  ['an approval', { approval: 'a' }],
  ['another server', markedQuestion({ kind: 'input_required', requests, state: 'x' }, 'other').state!],
  ['nobody', null],
])('the answers to a question of %s do not reach the server', (_whose, requestState) => {
  expect(upstreamChannel({ inputResponses, requestState, approval: 'ab' }, 'files')).toEqual({});
});
