import { expect, test } from 'vitest';
import { ERRORS, ToolcribError } from '../../src/errors.ts';
import { hasNoProgram, startError } from '../../src/upstreams/start-error.ts';
import type { UpstreamDefinition } from '../../src/upstreams/upstreams.ts';

const of = (kind: 'stdio' | 'http') =>
  ({ name: 'up', startTimeoutMs: 700, transport: { kind, command: 'up' } }) as unknown as UpstreamDefinition;
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

test('a command line in the place of a command is told', () => {
  const transport = { kind: 'stdio', command: 'npx -y some-server' };
  const definition = { ...of('stdio'), transport } as UpstreamDefinition;
  expect(startError(withCode('ENOENT'), definition, same).next).toContain(
    '`command` names the program alone',
  );
});

const saying = (message: string, data?: object) => Object.assign(new Error(message), { data });
const supporting = (...supported: unknown[]) => saying('Unsupported protocol version', { supported });

test.each<[string, UpstreamDefinition['era'], Error, RegExp, RegExp]>([
  ['a newer one', 'auto', supporting('2027-03-01'), /it speaks MCP 2027-03-01 and none/, /Update Toolcrib/],
  [
    'a newer one that it chose',
    'auto',
    saying("Server's protocol version is not supported: 2027-03-01"),
    /it speaks MCP 2027-03-01/,
    /Update Toolcrib/,
  ],
  [
    'an ancient one',
    'auto',
    supporting('2024-10-07'),
    /it speaks MCP 2024-10-07/,
    /a newer version of this server/,
  ],
  [
    'a newer one than allowed',
    'legacy',
    supporting('2026-07-28'),
    /speaks MCP 2026-07-28/,
    /Take `era: legacy` away/,
  ],
  [
    'an older one than allowed',
    'modern',
    saying('Version negotiation failed: the server did not offer pinned protocol version 2026-07-28 via x'),
    /does not speak MCP 2026-07-28, the only revision that `era: modern` allows/,
    /Take `era: modern` away/,
  ],
  ['what is none', 'auto', supporting('<b>', 5), /Unsupported protocol version/, /`args` and `env`/],
])('a server that speaks another revision: %s', (_what, era, error, because, next) => {
  const told = startError(error, { ...of('stdio'), era }, same);
  expect(told.message).toMatch(because);
  expect(told.next).toMatch(next);
});

test('a server that was asked too often is asked again later', () => {
  const busy = saying('as the SDK throws it', { status: 429, text: 'Too many requests' });
  expect(startError(busy, of('http'), same)).toMatchObject({
    message: 'The server "up" did not start: it answered HTTP 429: "Too many requests".',
    next: 'The server asks to be asked less often: call again later.',
  });
});
