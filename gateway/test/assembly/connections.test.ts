import { expect, test } from 'vitest';
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
