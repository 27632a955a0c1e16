import type { RankingParameters } from './parameters.ts';
import type { ParsedQuery, QueryWord } from './search-query.ts';
import { IMPACT_SCALE, IN_NAME, type Segment } from './segment.ts';
import type { Effect } from './wanted-effect.ts';

/** Postings of one term that are read in one segment: the highest impacts come first, so a long tail is left out. */
const MAX_POSTINGS = 50_000;

/** One query over all documents; arrays are by a document's place in the index. */
export class Scorer {
  readonly #segments: readonly Segment[];
  readonly #parameters: RankingParameters;
  readonly #allowed: Uint8Array | undefined;
  readonly #size: number;
  readonly #scores: Float32Array;
  readonly #clauses: readonly Float32Array[];
  /** Importance of the query's words that a document has. */
  readonly #covered: Float32Array;
  /** Words of its name that the query has. */
  readonly #nameWords: Float32Array;
  /** Best match of the word under way: its score, and how near it is to the word itself. */
  readonly #wordScores: Float32Array;
  readonly #wordWeights: Float32Array;
  readonly #wordInName: Float32Array;
  readonly #touched: number[] = [];
  #importance = 0;
  #effect: Effect | undefined;

  constructor(
    segments: readonly Segment[],
    size: number,
    clauseCount: number,
    parameters: RankingParameters,
    allowed: Uint8Array | undefined,
  ) {
    this.#segments = segments;
    this.#parameters = parameters;
    this.#allowed = allowed;
    this.#size = size;
    this.#scores = new Float32Array(size);
    this.#clauses = Array.from({ length: clauseCount }, () => new Float32Array(size));
    this.#covered = new Float32Array(size);
    this.#nameWords = new Float32Array(size);
    this.#wordScores = new Float32Array(size);
    this.#wordWeights = new Float32Array(size);
    this.#wordInName = new Float32Array(size);
  }

  read({ words, clauses, effect }: ParsedQuery): void {
    this.#effect = effect;
    words.forEach((word, place) => {
      const mine = this.#clauses.filter((_, clause) => clauses[clause]!.includes(place));
      this.#readWord(word, mine);
    });
  }

  /** 0: has none of the words. */
  scoreOf(document: number, nameLength: number, effect: Effect | undefined): number {
    const words = this.#scores[document]!;
    if (words === 0) return 0;
    const { clauseWeight, coverageBonus, nameBonus, otherEffect } = this.#parameters;
    let best = 0;
    for (const clause of this.#clauses) if (clause[document]! > best) best = clause[document]!;
    const nameShare = Math.min(1, this.#nameWords[document]! / Math.max(1, nameLength));
    const coverage = this.#covered[document]! / this.#importance;
    const isOther = effect !== undefined && this.#effect !== undefined && effect !== this.#effect;
    const score = (words + clauseWeight * best) * (1 + coverageBonus * coverage + nameBonus * nameShare);
    return isOther ? otherEffect * score : score;
  }

  #readWord({ alternatives, weight }: QueryWord, clauses: readonly Float32Array[]): void {
    const importance = this.#importanceOf(alternatives[0]!.term) * weight;
    this.#importance += importance;
    for (const { term, weight: share } of alternatives) {
      const least = Math.min(importance, this.#importanceOf(term) * weight);
      this.#readPostings(term, least * share, share);
    }
    for (const document of this.#touched) this.#take(document, importance, clauses);
    this.#touched.length = 0;
  }

  #readPostings(term: string, factor: number, share: number): void {
    const scale = factor / IMPACT_SCALE;
    let base = 0;
    for (const { terms, offsets, documents, impacts, keys } of this.#segments) {
      const known = terms.get(term);
      if (known !== undefined) {
        const end = Math.min(offsets[known + 1]!, offsets[known]! + MAX_POSTINGS);
        for (let at = offsets[known]!; at < end; at++) {
          const document = base + documents[at]!;
          if (this.#allowed !== undefined && this.#allowed[document] === 0) continue;
          this.#keepBest(document, impacts[at]!, scale, share);
        }
      }
      base += keys.length;
    }
  }

  #keepBest(document: number, impact: number, scale: number, share: number): void {
    const score = scale * (impact & IMPACT_SCALE);
    if (this.#wordWeights[document] === 0) this.#touched.push(document);
    if (score > this.#wordScores[document]!) this.#wordScores[document] = score;
    if (share > this.#wordWeights[document]!) this.#wordWeights[document] = share;
    if ((impact & IN_NAME) === 0) return;
    const inName = share < 1 ? this.#parameters.synonymInName : 1;
    if (inName > this.#wordInName[document]!) this.#wordInName[document] = inName;
  }

  #take(document: number, importance: number, clauses: readonly Float32Array[]): void {
    const score = this.#wordScores[document]!;
    this.#nameWords[document]! += this.#wordInName[document]!;
    this.#scores[document]! += score;
    this.#covered[document]! += importance * this.#wordWeights[document]!;
    for (const clause of clauses) clause[document]! += score;
    this.#wordScores[document] = 0;
    this.#wordWeights[document] = 0;
    this.#wordInName[document] = 0;
  }

  /** Inverse document frequency as in BM25, over all segments. */
  #importanceOf(term: string): number {
    let found = 0;
    for (const { terms, offsets } of this.#segments) {
      const known = terms.get(term);
      if (known !== undefined) found += offsets[known + 1]! - offsets[known]!;
    }
    return Math.log(1 + (this.#size - found + 0.5) / (found + 0.5)) ** this.#parameters.rarityPower;
  }
}
