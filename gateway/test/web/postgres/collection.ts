import type { Queryable } from '../../../src/web/postgres/database.ts';
import { meaning } from '../embeddings.ts';

/** A table as users have it: text, where it is from, a tenant, and a jsonb column with what else is known. */
export const CHUNKS: ReadonlyArray<readonly [id: number, text: string, tenant: string, metadata: object]> = [
  [1, 'The cat sat on the mat; cats like mats.', 'a', { lang: 'en', year: 2020 }],
  [2, 'A dog chased a cat.', 'b', { lang: 'en', year: 2022 }],
  [3, 'Fish live in water, and fish have fins.', 'a', { lang: 'en', year: 2024 }],
  [4, "A teapot isn't a cat; it's a teapot.", 'a', { lang: 'de', year: 2024, draft: true }],
];

export async function createTable(
  query: Queryable['query'],
  table: string,
  withVectors: boolean,
): Promise<void> {
  const vector = withVectors ? ', embedding vector(3)' : '';
  await query(
    `CREATE TABLE ${table} (id int PRIMARY KEY, text text, source text, tenant text, published date, metadata jsonb${vector})`,
  );
  for (const [id, text, tenant, metadata] of CHUNKS) {
    const values = [
      id,
      text,
      `https://docs.example/${id}`,
      tenant,
      `202${id}-01-01`,
      JSON.stringify(metadata),
    ];
    const given = withVectors ? [...values, `[${meaning(text).join(',')}]`] : values;
    const places = given.map((_, index) => `$${index + 1}`).join(', ');
    await query(`INSERT INTO ${table} VALUES (${places})`, given);
  }
}
