import type { RankingParameters } from './parameters.ts';
import type { Segment } from './segment.ts';
import { stem } from './stem.ts';
import { synonymsByStem } from './synonyms.ts';

/** A term that is looked up, for a word of the query or in its place. */
export interface QueryTerm {
  readonly term: string;
  /** 1 for the word itself, less for what stands for it. */
  readonly weight: number;
}

/** Letters that relatives share at their beginning, at least. */
const SHARED_LETTERS = 5;
/** Relatives of a word that are looked up, and terms of one beginning that are looked at. */
const MAX_RELATIVES = 6;
const MAX_CANDIDATES = 200;

/** The terms of an index, and what may stand for a word of a query. */
export class Vocabulary {
  readonly #segments: readonly Segment[];
  readonly #parameters: RankingParameters;
  readonly #synonyms: ReadonlyMap<string, readonly string[]> = synonymsByStem();
  /** Terms by their first letters; made for the first query. */
  #byBeginning: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(segments: readonly Segment[], parameters: RankingParameters) {
    this.#segments = segments;
    this.#parameters = parameters;
  }

  has(term: string): boolean {
    return this.#segments.some(({ terms }) => terms.has(term));
  }

  /** The term itself, synonyms, relatives, and the term as a part or a whole of compounds; known ones only. */
  alternatives(term: string, following: string | undefined): QueryTerm[] {
    const { synonymWeight, relativeWeight, compoundWeight } = this.#parameters;
    const found = new Map<string, number>();
    const add = (other: string, weight: number) => {
      if (!found.has(other) && this.has(other)) found.set(other, weight);
    };
    add(term, 1);
    if (following !== undefined) add(term + following, compoundWeight);
    for (const synonym of this.#synonyms.get(term) ?? []) add(synonym, synonymWeight);
    for (const relative of this.#relatives(term)) add(relative, relativeWeight);
    if (found.size === 0) for (const part of this.#partsOf(term)) add(part, compoundWeight);
    return [...found].map(([other, weight]) => ({ term: other, weight }));
  }

  /** Words of one root that stemming leaves apart: `convert` and `conversion`, `analyse` and `analysis`. */
  #relatives(term: string): readonly string[] {
    if (this.#parameters.relativeWeight === 0) return [];
    if (term.length < SHARED_LETTERS) return [];
    this.#byBeginning ??= termsByBeginning(this.#segments);
    const candidates = this.#byBeginning.get(term.slice(0, SHARED_LETTERS)) ?? [];
    return candidates
      .slice(0, MAX_CANDIDATES)
      .filter((other) => areRelated(term, other))
      .slice(0, MAX_RELATIVES);
  }

  /** Two known words that one is made of: `webhook` finds `web hook`. */
  #partsOf(term: string): readonly string[] {
    for (let at = term.length - 3; at >= 3; at--) {
      const parts = [stem(term.slice(0, at)), stem(term.slice(at))];
      if (parts.every((part) => this.has(part))) return parts;
    }
    return [];
  }
}

function areRelated(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  let shared = SHARED_LETTERS;
  while (shared < longer && one[shared] !== undefined && one[shared] === other[shared]) shared++;
  return shared < longer && shared >= longer * 0.66;
}

function termsByBeginning(segments: readonly Segment[]): ReadonlyMap<string, readonly string[]> {
  const byBeginning = new Map<string, string[]>();
  for (const { terms } of segments) {
    for (const term of terms.keys()) {
      if (term.length < SHARED_LETTERS) continue;
      const beginning = term.slice(0, SHARED_LETTERS);
      const same = byBeginning.get(beginning);
      if (same === undefined) byBeginning.set(beginning, [term]);
      else if (!same.includes(term) && same.length < MAX_CANDIDATES) same.push(term);
    }
  }
  return byBeginning;
}
