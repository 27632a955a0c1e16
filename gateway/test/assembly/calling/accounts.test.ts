import { expect, it } from 'vitest';
import { createAccountConnections } from '../../../src/assembly/calling/accounts.ts';
import { connectionOf } from '../../../src/assembly/connections.ts';
import type { SourceConfiguration } from '../../../src/config/configuration.ts';
import type { Account } from '../../../src/operations/index.ts';

const sourceAt = (baseUrl: string, key: string): SourceConfiguration => ({
  kind: 'openapi',
  settings: './api.json',
  prefix: 'none',
  baseUrl,
  headers: { 'X-Key': key },
  access: [],
  include: [],
  exclude: [],
});
const account: Account = { id: '1', owner: 'user', credentials: { bearer: 'own' } };

it('takes base URL and headers of an account from the same state of the source', () => {
  const served = connectionOf('shop', sourceAt('https://before.example', 'key-before'), {});
  const next = sourceAt('https://after.example', 'key-after');
  const catalog = { connection: () => served, sources: [{ name: 'shop' }] };
  const connections = createAccountConnections(
    ...([() => catalog, { sources: { shop: next } }] as unknown as Parameters<
      typeof createAccountConnections
    >),
  );
  expect(connections('shop', account)).toMatchObject({
    baseUrl: 'https://before.example',
    headers: { 'X-Key': 'key-before' },
  });
});
