import type { Json, JsonObject } from '../../operations/index.ts';
import { column } from './identifiers.ts';

export interface ChunkColumns {
  /** Default `id`. */
  readonly id?: string;
  /** Default `text`. */
  readonly text?: string;
  /** Default `source`. */
  readonly source?: string;
  /** Given back beside the text. */
  readonly metadata?: readonly string[];
}

/** What is selected of a row of `chunks`, under names that no column of the table can disturb. */
export function selection(columns: ChunkColumns): string {
  const { id = 'id', text = 'text', source = 'source', metadata = [] } = columns;
  const own = [
    `chunks.${column(id)}::text AS chunk_id`,
    `chunks.${column(text)}::text AS chunk_text`,
    `chunks.${column(source)}::text AS chunk_source`,
  ];
  return [...own, ...metadata.map((name, index) => `chunks.${column(name)} AS metadata_${index}`)].join(', ');
}

export function chunkOf(row: Record<string, unknown>, columns: ChunkColumns, table: string) {
  const metadata = (columns.metadata ?? []).map(
    (name, index) => [name, json(row[`metadata_${index}`])] as const,
  );
  const id = String(row['chunk_id']);
  return {
    id,
    text: String(row['chunk_text'] ?? ''),
    score: Number(row['score']),
    source: String(row['chunk_source'] ?? '') || `${table}#${id}`,
    metadata: Object.fromEntries(metadata) as JsonObject,
  };
}

/** Dates, big integers and what else a driver makes of a column, as JSON. */
function json(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'object') return JSON.parse(JSON.stringify(value)) as Json;
  return value as Json;
}
