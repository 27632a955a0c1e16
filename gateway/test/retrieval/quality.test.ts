import { describe, expect, it } from 'vitest';
import { createSearchIndex, type SearchDocument, type SearchPart } from '../../src/retrieval/index.ts';
import { INTENTS } from './harbour-intents.ts';
import { HARBOUR } from './harbour-operations.ts';

/** Stored floors: a change that falls below one of them makes search worse. Raise them when it gets better. */
const FLOORS = { recallAt1: 0.86, recallAt5: 0.98, withOthers: 0.97 };

const documents: readonly SearchDocument[] = HARBOUR.map(
  ({ name, method, path, tag, description, parameters }) => ({
    key: `harbour/${name}`,
    name,
    description,
    path,
    method,
    tags: [tag],
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter, ''])),
  }),
);

/** Operations of other services that share verbs and shapes with the harbour's, but not its nouns. */
function* others(): Iterable<SearchDocument> {
  const nouns = 'ticket project song recipe lesson patient parcel garden loan contract'.split(' ');
  for (const noun of nouns) {
    for (const verb of ['list', 'get', 'create', 'update', 'delete', 'export', 'cancel', 'request']) {
      const name = `${verb}_${noun}`;
      const description = `Use this to ${verb} a ${noun} of the customer, by date, status or name.`;
      yield {
        key: `others/${name}`,
        name,
        description,
        tags: [`${noun}s`],
        parameters: { id: '', status: '' },
      };
    }
  }
}

const harbour: SearchPart = { source: 'harbour', stamp: 1, documents: () => documents };
const crowded: SearchPart = { source: 'others', stamp: 1, documents: others };

/** Mean share of an intent's right operations among the first `k`. */
function recall(parts: readonly SearchPart[], k: number): number {
  const index = createSearchIndex(parts);
  const shares = INTENTS.map(({ text, right }) => {
    const found = index.search(text, { limit: k }).map(({ key }) => key);
    const most = Math.min(k, right.length);
    return right.filter((name) => found.includes(`harbour/${name}`)).length / most;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

describe('search quality over 120 intents', () => {
  it('speaks of operations that exist', () => {
    const names = new Set(HARBOUR.map(({ name }) => name));
    expect(INTENTS.length).toBeGreaterThanOrEqual(120);
    expect(INTENTS.flatMap(({ right }) => right).filter((name) => !names.has(name))).toEqual([]);
  });

  it('keeps Recall@1 and Recall@5 above their floors', () => {
    expect(recall([harbour], 1)).toBeGreaterThanOrEqual(FLOORS.recallAt1);
    expect(recall([harbour], 5)).toBeGreaterThanOrEqual(FLOORS.recallAt5);
  });

  it('keeps Recall@5 above its floor beside other services', () => {
    expect(recall([harbour, crowded], 5)).toBeGreaterThanOrEqual(FLOORS.withOthers);
  });
});
