/** The parts of an operation that are indexed. */
export const FIELDS = [
  'name',
  'title',
  'summary',
  'description',
  'path',
  'method',
  'tags',
  'source',
  'parameterNames',
  'parameterTexts',
  'hints',
] as const;
export type Field = (typeof FIELDS)[number];

export interface FieldParameters {
  /**
   * What the field counts as a whole. Its words share it (BM25F with `b` 1): a word of a short field counts more,
   * and no average over other operations is needed, so one source never re-weighs another.
   */
  readonly weight: number;
  /** A shorter field counts as if it had so many words: the one word said of an argument is no whole text. */
  readonly leastWords: number;
  /** Words that are read; what follows is seldom what the operation is about, and costs memory. */
  readonly maxWords: number;
}

export interface RankingParameters {
  readonly fields: Readonly<Record<Field, FieldParameters>>;
  /** BM25 `k1`: how soon a further mention of the same word stops counting. */
  readonly saturation: number;
  /** Exponent of the inverse document frequency: below 1, one rare word of a long request decides less. */
  readonly rarityPower: number;
  /** Weight of a synonym against the word itself. */
  readonly synonymWeight: number;
  /** How much of a word of the name a synonym covers. */
  readonly synonymInName: number;
  /** Weight of a word with the same beginning that stemming leaves apart. */
  readonly relativeWeight: number;
  /** Weight of a word that is taken apart or put together with the next one. */
  readonly compoundWeight: number;
  /** Weight of numbers: in a request they are mostly values of arguments. */
  readonly numberWeight: number;
  /** Weight of words that belong to asking rather than to what is asked for. */
  readonly requestWeight: number;
  /** Bonus, as a share of the score, for a document with every word of the query. */
  readonly coverageBonus: number;
  /** Bonus, as a share of the score, where every word of the name stands in the query. */
  readonly nameBonus: number;
  /** Exponent of how often a word stands in the query: what is said twice is what it is about. */
  readonly repetitionPower: number;
  /** What remains of the score of a document that is known to change where the query asks, or the other way round. */
  readonly otherEffect: number;
  /** What the best clause of a query adds to the whole: a request may need several operations. */
  readonly clauseWeight: number;
}

export const DEFAULT_PARAMETERS: RankingParameters = Object.freeze({
  fields: {
    name: { weight: 8, leastWords: 1, maxWords: 40 },
    title: { weight: 8, leastWords: 1, maxWords: 40 },
    summary: { weight: 6, leastWords: 1, maxWords: 40 },
    description: { weight: 14, leastWords: 1, maxWords: 80 },
    path: { weight: 2.5, leastWords: 1, maxWords: 40 },
    method: { weight: 0.4, leastWords: 1, maxWords: 10 },
    tags: { weight: 1.4, leastWords: 1, maxWords: 20 },
    source: { weight: 1, leastWords: 1, maxWords: 10 },
    parameterNames: { weight: 2.5, leastWords: 3, maxWords: 100 },
    parameterTexts: { weight: 13.5, leastWords: 15, maxWords: 200 },
    hints: { weight: 10, leastWords: 10, maxWords: 100 },
  },
  saturation: 1.2,
  rarityPower: 0.8,
  synonymWeight: 1 / 3,
  synonymInName: 0.8,
  relativeWeight: 0.4,
  compoundWeight: 0.5,
  numberWeight: 0.3,
  requestWeight: 0.3,
  coverageBonus: 0.5,
  nameBonus: 0.6,
  repetitionPower: 0.5,
  otherEffect: 0.7,
  clauseWeight: 0.6,
});
