import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresTextProvider } from '../../../src/web/index.ts';
import type { Database } from '../../../src/web/postgres/database.ts';
import { createPGlite } from '../../store/support/pglite.ts';
import { failureOf } from '../searching.ts';
import { createTable } from './collection.ts';
import { fullTextCases } from './text-cases.ts';

describe('PostgreSQL inside this process', () => {
  let database: PGlite;
  beforeAll(async () => {
    database = await createPGlite();
    await createTable((text, params) => database.query(text, params) as never, 'chunks', false);
  });
  afterAll(() => database.close());
  fullTextCases(() => database as unknown as Database, 'chunks');
});

const address = process.env['TOOLCRIB_TEST_POSTGRES'];

describe.skipIf(address === undefined)('a real PostgreSQL (TOOLCRIB_TEST_POSTGRES names it)', () => {
  let pool: Database & { end(): Promise<void> };
  beforeAll(async () => {
    const { default: pg } = await import('pg');
    pool = new pg.Pool({ connectionString: address!, max: 3 }) as unknown as typeof pool;
    await pool.query('DROP SCHEMA IF EXISTS web_text CASCADE');
    await pool.query('CREATE SCHEMA web_text');
    await createTable((text, params) => pool.query(text, params), 'web_text.chunks', false);
    await pool.query("CREATE INDEX chunks_text ON web_text.chunks USING gin (to_tsvector('english', text))");
  });
  afterAll(() => pool?.end());
  fullTextCases(() => pool, 'web_text.chunks');

  it('by its address; a slow statement is ended by the server, the next one runs', async () => {
    await pool.query(
      'CREATE OR REPLACE VIEW web_text.slow AS SELECT c.id, c.text, c.source FROM web_text.chunks c, pg_sleep(20)',
    );
    const provider = new PostgresTextProvider({
      url: address!,
      table: 'web_text.slow',
      statementTimeoutMs: 400,
    });
    expect(await failureOf(provider.retrieve('cat'))).toMatchObject({ code: 'deadline_exceeded' });
    await provider.close();
    const fast = new PostgresTextProvider({ url: address!, table: 'web_text.chunks' });
    expect((await fast.retrieve('dog')).chunks).toHaveLength(1);
    await fast.close();
  });

  it('uses the expression index', async () => {
    const client = await (
      pool as unknown as { connect(): Promise<Database & { release(): void }> }
    ).connect();
    await client.query('SET enable_seqscan = off');
    const { rows } = await client.query(
      "EXPLAIN SELECT id FROM web_text.chunks AS chunks WHERE to_tsvector('english'::regconfig, \"text\") @@ websearch_to_tsquery('english'::regconfig, 'cat')",
    );
    await client.query('RESET enable_seqscan');
    client.release();
    expect(JSON.stringify(rows)).toContain('chunks_text');
  });
});

describe('a database that is not there', () => {
  it('is named without its password', async () => {
    const provider = new PostgresTextProvider({ url: 'postgres://ann:hunter2@127.0.0.1:1/db', table: 't' });
    const error = await failureOf(provider.retrieve('x'));
    expect(error).toMatchObject({ code: 'upstream_unreachable' });
    expect(error.message).not.toContain('hunter2');
    await provider.close();
  });
});

describe('names of tables and columns', () => {
  it.each(['chunks; DROP TABLE x', 'a.b.c', '"quoted"', 'a b', '', "x'--", 'ä'])('%j is refused', (table) => {
    expect(
      () => new PostgresTextProvider({ table }, { database: { query: async () => ({ rows: [] }) } }),
    ).toThrow(/no name/);
  });
});
