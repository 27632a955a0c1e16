import { expect, it, vi } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Call, Connection, Grants, Result } from '../../../src/operations/index.ts';
import { type AuthoriseOptions, authoriseLayer } from '../../../src/router/layers/authorise.ts';
import { callOf } from '../taint-cases.ts';

const ANSWER: Result = { kind: 'completed', content: [] };
const grants = { stamp: 'now' } as Grants;
const connection = { name: 'desk' } as Connection;

function authorise(options: Partial<AuthoriseOptions> = {}) {
  const next = vi.fn(async (_call: Call) => ANSWER);
  const layer = authoriseLayer({
    grants: () => grants,
    refuse: () => undefined,
    connection: () => connection,
    ...options,
  });
  return { next, call: (call: Call) => layer(call, next) };
}

it.each([
  ['at once', () => grants],
  ['once the store was asked', async () => grants],
])('looks at the grants of now, that are there %s, and takes the account from them', async (_when, asked) => {
  const [fresh, refuse, account] = [vi.fn(asked), vi.fn(() => undefined), vi.fn(() => connection)];
  const { call, next } = authorise({ grants: fresh, refuse, connection: account });
  const base = { name: 'base' } as Connection;
  const given = callOf('desk', 'write', { base });
  expect(await call(given)).toBe(ANSWER);
  expect(fresh).toHaveBeenCalledExactlyOnceWith(given.principal, 'desk');
  expect(refuse).toHaveBeenCalledExactlyOnceWith(given.operation, grants);
  expect(account).toHaveBeenCalledExactlyOnceWith('desk', grants, base);
  expect(next).toHaveBeenCalledExactlyOnceWith({ ...given, connection });
});

it('lets nothing through that the grants do not cover, and chooses no account for it', async () => {
  const account = vi.fn(() => connection);
  const { call, next } = authorise({
    refuse: () => ({ code: 'tool_forbidden', reason: 'access: needs write, has read' }),
    connection: account,
  });
  await expect(call(callOf('desk', 'write'))).rejects.toMatchObject({
    code: 'tool_forbidden',
    message: 'Principal local may not call desk_tool: access: needs write, has read',
  });
  expect(next).not.toHaveBeenCalled();
  expect(account).not.toHaveBeenCalled();
});

it.each([
  ['grants', 'unauthorized'],
  ['connection', 'connection_missing'],
] as const)('lets nothing through where there are no %s', async (part, code) => {
  const none = () => {
    throw new ToolcribError(code, 'm');
  };
  const { call, next } = authorise({ [part]: none });
  await expect(call(callOf('desk', 'read'))).rejects.toMatchObject({ code });
  expect(next).not.toHaveBeenCalled();
});
