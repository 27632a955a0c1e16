import { describe, expect, it } from 'vitest';
import { PostgresTextProvider } from '../../../src/web/index.ts';
import type { Database } from '../../../src/web/postgres/database.ts';
import { failureOf } from '../searching.ts';

const ids = ({ chunks }: { chunks: readonly { id: string }[] }) => chunks.map(({ id }) => id);

/** What full text search does on any PostgreSQL. The table is that of `collection.ts`. */
export function fullTextCases(open: () => Database, table: string): void {
  const provider = (settings = {}) =>
    new PostgresTextProvider(
      {
        table,
        columns: { metadata: ['tenant', 'published', 'metadata'] },
        filterFields: ['tenant', 'published', 'metadata.lang', 'metadata.year', 'metadata.draft'],
        ...settings,
      },
      { database: open() },
    );

  describe('full text search', () => {
    it('finds words in any form, best first, with their sources', async () => {
      const answer = await provider().retrieve('cats');
      expect(ids(answer)).toEqual(['1', '2', '4']);
      expect(answer).toMatchObject({
        provider: 'postgres',
        chunks: [
          {
            source: 'https://docs.example/1',
            metadata: { tenant: 'a', metadata: { lang: 'en', year: 2020 } },
          },
          {},
          {},
        ],
        citations: [{ sourceUrl: 'https://docs.example/1' }, {}, {}],
      });
      expect(answer.chunks[0]?.score).toBeGreaterThan(answer.chunks[1]?.score ?? 0);
    });

    it.each([
      ['"sat on the mat"', ['1']],
      ['cat -dog -teapot', ['1']],
      ['fish or dog', ['3', '2']],
      ["it's", ['4']],
      ["'; DROP TABLE chunks; --", []],
      ['& | ! ( ) : *', []],
      ['', []],
    ])('reads the question %j as the web does', async (query, expected) => {
      const found = ids(
        await provider({ language: query === "it's" ? 'simple' : 'english' }).retrieve(query),
      );
      expect(found.toSorted()).toEqual(expected.toSorted());
    });

    it.each([
      [{ tenant: 'a' }, ['1', '4']],
      [{ tenant: ['a', 'b'] }, ['1', '2', '4']],
      [{ published: { gte: '2022-01-01', lt: '2024-01-01' } }, ['2']],
      [{ 'metadata.lang': 'de' }, ['4']],
      [{ 'metadata.year': { gte: 2022 } }, ['2', '4']],
      [{ 'metadata.draft': true }, ['4']],
      [{ tenant: "a' OR '1'='1" }, []],
    ])('with the filters %j gives %j', async (filters, expected) => {
      expect(ids(await provider().retrieve('cat', filters)).toSorted()).toEqual(expected);
    });

    it('offers no column that the configuration does not', async () => {
      expect(await failureOf(provider().retrieve('cat', { text: 'x' }))).toMatchObject({
        code: 'arguments_invalid',
        pointer: '/filters/text',
      });
      const without = new PostgresTextProvider({ table }, { database: open() });
      expect(await failureOf(without.retrieve('cat', { tenant: 'a' }))).toMatchObject({
        code: 'arguments_invalid',
      });
    });

    it('keeps to the filters of the operator', async () => {
      const own = provider({ fixedFilters: { tenant: 'b' } });
      expect(ids(await own.retrieve('cat'))).toEqual(['2']);
      expect(ids(await own.retrieve('cat', { tenant: 'a' }))).toEqual([]);
    });

    it('gives as many as are asked for', async () => {
      expect(ids(await provider().retrieve('cat', {}, { count: 1 }))).toEqual(['1']);
    });

    it('runs in a transaction that cannot write', async () => {
      const database = open();
      const seen: string[] = [];
      const watched = {
        query: (text: string, params?: unknown[]) => {
          seen.push(text);
          return database.query(text, params);
        },
      };
      await new PostgresTextProvider({ table }, { database: watched }).retrieve('cat');
      expect(seen[0]).toBe('BEGIN READ ONLY');
      expect(seen[1]).toContain('statement_timeout');
      expect(seen.at(-1)).toBe('COMMIT');
      const names = seen.filter((text) => text.startsWith('SELECT chunks'));
      expect(names.join()).not.toContain('cat');
    });

    it('of several callers on one connection come after each other', async () => {
      const one = provider();
      const answers = await Promise.all(Array.from({ length: 5 }, () => one.retrieve('cat')));
      expect(answers.map(ids)).toEqual(Array.from({ length: 5 }, () => ['1', '2', '4']));
    });

    it('says what the database says, and leaves the connection usable', async () => {
      const database = open();
      const broken = new PostgresTextProvider({ table, columns: { text: 'nothing' } }, { database });
      const error = await failureOf(broken.retrieve('cat'));
      expect(error).toMatchObject({ code: 'upstream_failed', details: { code: '42703' } });
      expect(ids(await new PostgresTextProvider({ table }, { database }).retrieve('dog'))).toEqual(['2']);
    });
  });
}
