import type { Condition } from '../filters.ts';
import { selection } from './chunk-columns.ts';
import { column, table } from './identifiers.ts';
import { type Parameters, parameters, whereClause } from './parameters.ts';
import { textSearch } from './postgres-text-provider.ts';
import type { Distance, PgVectorSettings } from './vector-settings.ts';

const OPERATORS: Readonly<Record<Distance, string>> = { cosine: '<=>', l2: '<->', ip: '<#>' };
/** Higher is closer: similarity, inner product, and a distance turned round. */
const SCORES: Readonly<Record<Distance, (distance: string) => string>> = {
  cosine: (distance) => `1 - (${distance})`,
  l2: (distance) => `1 / (1 + (${distance}))`,
  ip: (distance) => `-(${distance})`,
};
/** Reciprocal rank fusion: 1 / (60 + rank). */
const RANK_CONSTANT = 60;

export interface VectorQuestion {
  readonly query: string;
  readonly vector: readonly number[];
  readonly conditions: readonly Condition[];
  readonly count: number;
}

/** The statement with its values: the question's text, vector and filters are parameters. */
export function vectorStatement(
  settings: PgVectorSettings,
  question: VectorQuestion,
): { statement: string; values: unknown[] } {
  const bound = parameters();
  const statement =
    settings.mode === 'hybrid' ? hybrid(settings, question, bound) : nearest(settings, question, bound);
  return { statement, values: bound.values };
}

/** Only `ORDER BY column operator vector LIMIT n` lets an index answer. */
function nearest(
  settings: PgVectorSettings,
  { vector, conditions, count }: VectorQuestion,
  bound: Parameters,
): string {
  const { distance = 'cosine', columns = {} } = settings;
  const order = distanceTo(settings, vector, bound);
  return `SELECT ${selection(columns)}, ${SCORES[distance](order)} AS score
FROM ${table(settings.table)} AS chunks
WHERE ${whereClause(conditions, bound)}
ORDER BY ${order}
LIMIT ${bound.bind(count)}`;
}

/** The filters count for what is given back, too: nothing says that an id is one row's alone. */
function hybrid(settings: PgVectorSettings, question: VectorQuestion, bound: Parameters): string {
  const { columns = {} } = settings;
  const name = table(settings.table);
  const id = column(columns.id ?? 'id');
  const order = distanceTo(settings, question.vector, bound);
  const text = textSearch(settings, bound.bind(question.query));
  const where = whereClause(question.conditions, bound);
  const candidates = bound.bind(Math.min(200, question.count * 4));
  return `WITH semantic AS (
  SELECT id, row_number() OVER (ORDER BY distance) AS rank FROM (
    SELECT ${id} AS id, ${order} AS distance FROM ${name} WHERE ${where} ORDER BY ${order} LIMIT ${candidates}
  ) AS near
), lexical AS (
  SELECT id, row_number() OVER (ORDER BY relevance DESC, id) AS rank FROM (
    SELECT ${id} AS id, ts_rank_cd(${text.document}, ${text.query}) AS relevance FROM ${name}
    WHERE ${text.document} @@ ${text.query} AND ${where} ORDER BY relevance DESC, ${id} LIMIT ${candidates}
  ) AS matching
), ranked AS (
  SELECT id, sum(1.0 / (${RANK_CONSTANT} + rank)) AS score
  FROM (SELECT id, rank FROM semantic UNION ALL SELECT id, rank FROM lexical) AS ranks
  GROUP BY id ORDER BY score DESC, id LIMIT ${bound.bind(question.count)}
)
SELECT ${selection(columns)}, ranked.score AS score
FROM ranked JOIN (SELECT * FROM ${name} WHERE ${where}) AS chunks ON chunks.${id} = ranked.id
ORDER BY ranked.score DESC, ranked.id`;
}

function distanceTo(settings: PgVectorSettings, vector: readonly number[], { bind }: Parameters): string {
  const place = `${bind(`[${vector.join(',')}]`)}::vector`;
  return `${column(settings.vector ?? 'embedding')} ${OPERATORS[settings.distance ?? 'cosine']} ${place}`;
}
