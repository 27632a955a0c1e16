import { expect, test } from 'vitest';
import { accountKey } from '../../src/assembly/account-key.ts';
import { accountConnection, connectionOf } from '../../src/assembly/connections.ts';
import type { SourceConfiguration } from '../../src/config/configuration.ts';
import type { Account } from '../../src/operations/index.ts';

test.each([
  ['an upstream MCP server, whose tools build and crawl', 'mcp', undefined, 300_000],
  ['a document', 'openapi', undefined, 30_000],
  ['a source that says so', 'mcp', 1000, 1000],
])('the time of a call of %s', (_what, kind, timeoutMs, expected) => {
  const source = { kind, ...(timeoutMs === undefined ? {} : { timeoutMs }) } as SourceConfiguration;
  expect(connectionOf('it', source, {}).limits.timeoutMs).toBe(expected);
});

test('an account with an address of its own is not behind the socket of the source', () => {
  const source = { kind: 'openapi', baseUrl: 'http://localhost', socketPath: '/run/api.sock' };
  const base = connectionOf('it', source as SourceConfiguration, {});
  const account = (own: object) =>
    accountConnection(base, { id: 'a', owner: 'user', ...own } as Account, {
      source: source as SourceConfiguration,
      provider: undefined,
    });
  expect(base.socketPath).toBe('/run/api.sock');
  expect(account({}).socketPath).toBe('/run/api.sock');
  expect(account({ baseUrl: 'http://elsewhere.example' }).socketPath).toBeUndefined();
});

test('configured accounts are told apart by references and headers, not by secrets', () => {
  const key = (source: object) => accountKey(source as SourceConfiguration);
  expect(key({})).toBeUndefined();
  expect(key({ credentials: { bearer: { env: 'A' } } })).not.toBe(
    key({ credentials: { bearer: { env: 'B' } } }),
  );
  expect(key({ credentials: { bearer: 'first-secret' } })).toBe(
    key({ credentials: { bearer: 'second-secret' } }),
  );
  expect(key({ headers: { 'X-Tenant': 'a' } })).not.toBe(key({ headers: { 'X-Tenant': 'b' } }));
  expect(key({ headers: { 'X-Api-Key': 'a' } })).toBe(key({ headers: { 'X-Api-Key': 'b' } }));
});
