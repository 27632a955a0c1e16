import { ToolcribError } from '../../errors.ts';
import type { OperationQuery } from '../../operations/index.ts';
import type { OperationSet, OwnAnswer } from '../topology.ts';
import { hitLines, listed } from './hit-line.ts';

/** Hits where the caller names no number, and the most there are. */
export const DEFAULT_HITS = 8;
export const MOST_HITS = 50;

/** Characters of the names of sources in an error. */
const SOURCES = 400;

/** Ranked one-line hits. Throws `arguments_invalid` for a source that the caller has nothing of. */
export async function searchAnswer(
  set: OperationSet,
  query: OperationQuery,
  next: string,
  signal: AbortSignal,
): Promise<OwnAnswer> {
  if (query.source !== undefined && !set.sources.some(({ name }) => name === query.source)) {
    throw new ToolcribError(
      'arguments_invalid',
      `There is no source of that name; there is ${listed(
        set.sources.map(({ name }) => name),
        SOURCES,
      )}.`,
      { pointer: '/source' },
    );
  }
  const hits = await set.search({ ...query, limit: query.limit ?? DEFAULT_HITS }, signal);
  const text =
    hits.length === 0
      ? 'Nothing was found. Say it in other words (what is done, to what), or leave out a filter.'
      : `${hitLines(hits.map(({ operation }) => operation))}\n${next}`;
  return { kind: 'answer', text };
}
