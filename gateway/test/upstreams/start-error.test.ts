import { expect, test } from 'vitest';
import { ERRORS, ToolcribError } from '../../src/errors.ts';
import { hasNoProgram, startError } from '../../src/upstreams/start-error.ts';
import type { UpstreamDefinition } from '../../src/upstreams/upstreams.ts';

const of = (kind: 'stdio' | 'http') =>
  ({ name: 'up', startTimeoutMs: 700, transport: { kind } }) as unknown as UpstreamDefinition;
const same = (text: string) => text;
const withCode = (code: string) => Object.assign(new Error(`spawn ${code}`), { code });

test.each([
  ['ENOENT', true],
  ['EACCES', true],
  ['ECONNREFUSED', false],
])('%s says that there is no such program: %s', (code, expected) => {
  expect(hasNoProgram(withCode(code))).toBe(expected);
  expect(hasNoProgram(undefined)).toBe(false);
  const plain = startError(withCode(code), of('stdio'), same);
  const caused = startError(new Error('it failed', { cause: withCode(code) }), of('stdio'), same);
  for (const { next } of [plain, caused])
    expect(next.includes(expected ? 'Install the program' : '`startTimeout`')).toBe(true);
});

test('a time that is over is told as the setting that bounds it', () => {
  const late = new DOMException('aborted', 'TimeoutError');
  expect(startError(late, of('stdio'), same)).toMatchObject({
    code: 'upstream_unavailable',
    message: 'The server "up" did not start: it did not shake hands within 700 ms.',
    cause: late,
  });
});

test('what was the matter before is neither lost nor wrapped twice', () => {
  const standing = new ToolcribError('authorization_required', 'Sign in.');
  expect(startError(standing, of('http'), same)).toBe(standing);
  const cause = new Error('deeper');
  const first = new ToolcribError('upstream_unavailable', 'it left.', { cause, next: 'Look at its log.' });
  expect(startError(first, of('http'), same)).toMatchObject({
    message: 'The server "up" did not start: it left.',
    next: 'Look at its log.',
    cause,
  });
  const bare = new ToolcribError('upstream_unavailable', 'it left.');
  expect(bare.next).toBe(ERRORS.upstream_unavailable.next);
  expect(startError(bare, of('http'), same).next).toContain('`url` and `headers`');
  expect(startError(bare, of('stdio'), same).next).toContain('`args` and `env`');
});
