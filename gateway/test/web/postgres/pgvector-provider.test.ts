import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PgVectorProvider, type PgVectorSettings } from '../../../src/web/index.ts';
import type { Database } from '../../../src/web/postgres/database.ts';
import { vectorStatement } from '../../../src/web/postgres/vector-statement.ts';
import { meaning } from '../embeddings.ts';
import { failureOf } from '../searching.ts';
import { createTable } from './collection.ts';

const embedder = { embed: async (texts: readonly string[]) => texts.map(meaning) };
const ids = ({ chunks }: { chunks: readonly { id: string }[] }) => chunks.map(({ id }) => id);

let pglite: PGlite;
let database: Database;
beforeAll(async () => {
  pglite = await PGlite.create({ extensions: { vector } });
  await pglite.query('CREATE EXTENSION vector');
  database = pglite as unknown as Database;
  await createTable((text, params) => database.query(text, params), 'chunks', true);
  await pglite.query(
    'CREATE INDEX chunks_near ON chunks USING hnsw (embedding vector_cosine_ops) WITH (m = 16, ef_construction = 64)',
  );
});
afterAll(() => pglite.close());

const provider = (settings: Partial<PgVectorSettings> = {}) =>
  new PgVectorProvider(
    {
      table: 'chunks',
      filterFields: ['tenant', 'metadata.lang'],
      columns: { metadata: ['tenant'] },
      ...settings,
    },
    { database, embedder },
  );

describe('neighbours', () => {
  it.each(['cosine', 'l2', 'ip'] as const)(
    'by %s come nearest first, with a score that is higher when closer',
    async (distance) => {
      const answer = await provider({ distance }).retrieve('fish', {}, { count: 2 });
      expect(answer.chunks[0]).toMatchObject({
        id: '3',
        source: 'https://docs.example/3',
        metadata: { tenant: 'a' },
      });
      expect(answer.chunks[0]!.score).toBeGreaterThan(answer.chunks[1]!.score);
      expect(answer.citations[0]).toEqual({
        sourceUrl: 'https://docs.example/3',
        contentHash: answer.chunks[0]!.contentHash,
      });
    },
  );

  it('by cosine have the similarity as their score', async () => {
    const [first] = (await provider().retrieve('fish fish')).chunks;
    expect(first!.score).toBeCloseTo(1, 2);
  });

  it.each([
    [{ tenant: 'b' }, ['2']],
    [{ tenant: ['a'] }, ['1', '4', '3']],
    [{ 'metadata.lang': 'de' }, ['4']],
    [{ tenant: 'nobody' }, []],
  ])('with the filters %j are %j', async (filters, expected) => {
    expect(ids(await provider().retrieve('cat', filters)).toSorted()).toEqual(expected.toSorted());
  });

  it('are filtered by no column that the configuration does not offer', async () => {
    const without = new PgVectorProvider({ table: 'chunks' }, { database, embedder });
    for (const [one, field] of [
      [provider(), 'text'],
      [without, 'tenant'],
    ] as const) {
      const error = await failureOf(one.retrieve('fish', { [field]: 'a' }));
      expect(error).toMatchObject({ code: 'arguments_invalid', pointer: `/filters/${field}` });
    }
  });

  it('keep to the filters of the operator', async () => {
    expect(ids(await provider({ fixedFilters: { tenant: 'b' } }).retrieve('fish'))).toEqual(['2']);
  });
});

describe('the HNSW index', () => {
  const rows = 2000;
  beforeAll(async () => {
    await pglite.query(
      'CREATE TABLE many (id int PRIMARY KEY, text text, source text, tenant text, embedding vector(3))',
    );
    await pglite.query(
      `INSERT INTO many SELECT n, 'chunk ' || n, 's' || n, CASE WHEN n % 100 = 0 THEN 'rare' ELSE 'common' END,
         ARRAY[sin(n), cos(n), n::float8 / ${rows}]::vector FROM generate_series(1, ${rows}) AS n`,
    );
    await pglite.query('CREATE INDEX many_near ON many USING hnsw (embedding vector_cosine_ops)');
    await pglite.query('ANALYZE many');
  });

  it('answers the statement that the provider sends', async () => {
    const question = { query: 'x', vector: [1, 0, 0], conditions: [], count: 5 };
    const { statement, values } = vectorStatement({ table: 'many' }, question);
    const plan = await pglite.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`, values);
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Scan using many_near');
  });

  it('finds what an exact scan finds', async () => {
    const settings: PgVectorSettings = { table: 'many', efSearch: 200 };
    const near = { embed: async () => [[1, 0, 0.1]] };
    const answer = await new PgVectorProvider(settings, { database, embedder: near }).retrieve(
      'x',
      {},
      { count: 10 },
    );
    const exact = await pglite.query<{ id: number }>(
      "SELECT id FROM (SELECT id, embedding <=> '[1,0,0.1]' AS distance FROM many OFFSET 0) AS every ORDER BY distance LIMIT 10",
    );
    const expected = exact.rows.map(({ id }) => String(id));
    expect(ids(answer).filter((id) => expected.includes(id)).length).toBeGreaterThanOrEqual(9);
  });

  it('goes on until a rare filter has enough rows', async () => {
    await pglite.query('SET enable_seqscan = off');
    await pglite.query('SET enable_sort = off');
    const settings: PgVectorSettings = { table: 'many', filterFields: ['tenant'], efSearch: 10 };
    const near = { embed: async () => [[1, 0, 0.1]] };
    const found = async (iterativeScan: 'off' | 'strict_order') => {
      const one = new PgVectorProvider({ ...settings, iterativeScan }, { database, embedder: near });
      return one.retrieve('x', { tenant: 'rare' }, { count: 10 });
    };
    expect((await found('strict_order')).chunks).toHaveLength(10);
    const cut = await found('off');
    expect(cut.chunks.length).toBeLessThan(10);
    expect(cut.warnings?.[0]).toContain('there may be more');
    await pglite.query('RESET enable_seqscan');
    await pglite.query('RESET enable_sort');
  });

  it('gets its settings for one transaction only', async () => {
    await new PgVectorProvider({ table: 'many', efSearch: 321 }, { database, embedder }).retrieve('x');
    const { rows: left } = await pglite.query<{ value: string }>(
      "SELECT current_setting('hnsw.ef_search') AS value",
    );
    expect(left[0]?.value).toBe('40');
  });
});

describe('hybrid', () => {
  it('joins the ranks of neighbours and words', async () => {
    const answer = await provider({ mode: 'hybrid' }).retrieve('teapot', {}, { count: 2 });
    expect(ids(answer)[0]).toBe('4');
    expect(answer.chunks[0]!.score).toBeGreaterThan(1 / 61);
    expect(answer.chunks[0]!.score).toBeLessThanOrEqual(2 / 61);
  });

  it('filters both halves', async () => {
    expect(ids(await provider({ mode: 'hybrid' }).retrieve('cat', { tenant: 'b' }))).toEqual(['2']);
  });

  it('filters what is given back, too, where ids are not unique', async () => {
    await database.query(
      'CREATE TABLE numbered AS SELECT 1 AS id, text, source, tenant, published, metadata, embedding FROM chunks',
    );
    const settings = { table: 'numbered', mode: 'hybrid', fixedFilters: { tenant: 'b' } } as const;
    const { chunks } = await provider(settings).retrieve('cat');
    expect(chunks.map(({ metadata }) => metadata)).toEqual([{ tenant: 'b' }]);
  });
});

describe('what cannot work', () => {
  it('a vector of another length is what the database says', async () => {
    const wrong = new PgVectorProvider(
      { table: 'chunks' },
      { database, embedder: { embed: async () => [[1, 2]] } },
    );
    const error = await failureOf(wrong.retrieve('x'));
    expect(error).toMatchObject({ code: 'upstream_failed' });
    expect(error.message).toContain('dimensions');
  });

  it('a database without the extension', async () => {
    const bare = { query: async () => ({ rows: [] }) };
    const one = new PgVectorProvider({ table: 'chunks' }, { database: bare, embedder });
    const error = await failureOf(one.retrieve('x'));
    expect(error.next).toContain('CREATE EXTENSION vector');
  });

  it('no embeddings', () => {
    expect(() => new PgVectorProvider({ table: 'chunks' }, { database })).toThrow(/embeddings/);
  });
});
