import { expect, test } from 'vitest';
import { accountKey } from '../../src/assembly/account-key.ts';
import { connectionOf } from '../../src/assembly/connections.ts';
import type { SourceConfiguration } from '../../src/config/configuration.ts';

test.each([
  ['an upstream MCP server, whose tools build and crawl', 'mcp', undefined, 300_000],
  ['a document', 'openapi', undefined, 30_000],
  ['a source that says so', 'mcp', 1000, 1000],
])('the time of a call of %s', (_what, kind, timeoutMs, expected) => {
  const source = { kind, ...(timeoutMs === undefined ? {} : { timeoutMs }) } as SourceConfiguration;
  expect(connectionOf('it', source, {}).limits.timeoutMs).toBe(expected);
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
