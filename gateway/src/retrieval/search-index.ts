import { compareText } from '../operations/text/compare-text.ts';
import { DEFAULT_PARAMETERS, type RankingParameters } from './parameters.ts';
import { Scorer } from './scorer.ts';
import type { SearchPart } from './search-document.ts';
import { parseQuery } from './search-query.ts';
import { buildSegment, type Segment } from './segment.ts';
import { Vocabulary } from './vocabulary.ts';

export interface SearchOptions {
  readonly limit: number;
  /** One byte a document, by its place in the index; 0: it is never scored. Absent: every document may be found. */
  readonly allowed?: Uint8Array;
}

export interface SearchResult {
  readonly key: string;
  /** Of the document in `keys()`, counted from 0. */
  readonly place: number;
  readonly score: number;
}

/** The documents of several sources, ready for ranking. Immutable. */
export interface SearchIndex {
  /** Documents. */
  readonly size: number;
  readonly segments: readonly Segment[];
  /** Keys of the documents in the order of their places. */
  keys(): Iterable<string>;
  /** Best first; equal scores by tool name, then by key. A query without a known word finds nothing. */
  search(text: string, options: SearchOptions): readonly SearchResult[];
}

/** Parts that stood in `previous` with the same source and stamp are taken over without being read again. */
export function createSearchIndex(
  parts: readonly SearchPart[],
  previous?: SearchIndex,
  parameters: RankingParameters = DEFAULT_PARAMETERS,
): SearchIndex {
  const earlier = new Map(previous?.segments.map((segment) => [segment.source, segment]));
  const segments = parts.map((part) => {
    const known = earlier.get(part.source);
    if (known !== undefined && known.stamp === part.stamp && known.parameters === parameters) return known;
    return buildSegment(part, parameters);
  });
  return new SegmentedIndex(segments, parameters);
}

class SegmentedIndex implements SearchIndex {
  readonly size: number;
  readonly segments: readonly Segment[];
  readonly #parameters: RankingParameters;
  readonly #vocabulary: Vocabulary;

  constructor(segments: readonly Segment[], parameters: RankingParameters) {
    this.segments = segments;
    this.size = segments.reduce((sum, { keys }) => sum + keys.length, 0);
    this.#parameters = parameters;
    this.#vocabulary = new Vocabulary(segments, parameters);
  }

  *keys(): Iterable<string> {
    for (const { keys } of this.segments) yield* keys;
  }

  search(text: string, { limit, allowed }: SearchOptions): readonly SearchResult[] {
    const query = parseQuery(text, this.#vocabulary, this.#parameters);
    if (query.words.length === 0) return [];
    const scorer = new Scorer(this.segments, this.size, query.clauses.length, this.#parameters, allowed);
    scorer.read(query);
    return this.#best(scorer, limit);
  }

  #best(scorer: Scorer, limit: number): SearchResult[] {
    const best: Found[] = [];
    let least = Number.MIN_VALUE;
    let base = 0;
    for (const { keys, names, nameLengths, effects } of this.segments) {
      for (let at = 0; at < keys.length; at++) {
        const score = scorer.scoreOf(base + at, nameLengths[at]!, effects[at]);
        if (score < least) continue;
        best.push({ key: keys[at]!, name: names[at]!, place: base + at, score });
        if (best.length < limit + SPARE) continue;
        keepFirst(best, limit);
        least = best.at(-1)?.score ?? least;
      }
      base += keys.length;
    }
    keepFirst(best, limit);
    return best.map(({ key, place, score }) => ({ key, place, score }));
  }
}

/** Hits beyond the limit that are collected before the worst are dropped. */
const SPARE = 500;

function keepFirst(found: Found[], limit: number): void {
  found.sort(inOrder);
  if (found.length > limit) found.length = limit;
}

interface Found extends SearchResult {
  readonly name: string;
}

function inOrder(one: Found, other: Found): number {
  return other.score - one.score || compareText(one.name, other.name) || compareText(one.key, other.key);
}
