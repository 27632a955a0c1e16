import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfiguration } from '../../src/config/parse.ts';
import { checkLeftAccess } from '../../src/doctor/left-access.ts';
import { openStore } from '../../src/store/open-store.ts';

test('levels, keys and features of a source that is gone are told before another one takes them over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-left-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const address = `sqlite:${join(folder, 'store.db')}`;
  const findings = async (...names: string[]) => {
    const sources = Object.fromEntries(names.map((name) => [name, { openapi: 'shop.json' }]));
    const raw = { store: address, sources };
    return checkLeftAccess(await parseConfiguration(raw, { baseDirectory: '/', env: {} }));
  };
  expect(await findings('shop')).toEqual([]);

  const { database, close } = await openStore(address);
  const acme = { organisation_id: 'acme', created_at: 0 };
  await database
    .insertInto('organisations')
    .values({ id: 'acme', name: 'Acme', tools: null, features: '[]', created_at: 0 })
    .execute();
  const ben = { id: 'ben', email: null, name: 'Ben', subject: null, status: 'active', tools: null };
  await database
    .insertInto('users')
    .values({ ...acme, ...ben })
    .execute();
  const level = { organisation_id: 'acme', subject: '', level: 'read-write', updated_at: 0 };
  await database
    .insertInto('access_levels')
    .values(['source:shop', 'source:old', 'category:ats'].map((scope) => ({ ...level, scope })))
    .execute();
  const key = { ...acme, user_id: 'ben', name: 'k', hint: 'tck_', max_access: 'read' };
  await database
    .insertInto('api_keys')
    .values([
      { ...key, id: '1', hash: '1', sources: '["shop","old"]' },
      { ...key, id: '2', hash: '2', sources: null },
      { ...key, id: '3', hash: '3', sources: '["revoked"]', revoked_at: 1 },
      { ...key, id: '4', hash: '4', sources: '["expired"]', expires_at: 1 },
    ])
    .execute();
  await database
    .insertInto('features')
    .values(
      ['shop.beta', 'older.beta'].map((name) => ({ name, enabled: 1, changed_at: 0, changed_by: 'local' })),
    )
    .execute();
  await close();

  expect(await findings('shop')).toMatchObject([
    { check: 'access old', status: 'warning', message: expect.stringContaining('access levels, API keys') },
    { check: 'access older', status: 'warning', message: expect.stringContaining('features') },
  ]);
  expect(await findings('shop', 'old', 'older')).toEqual([]);
});
