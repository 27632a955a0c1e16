import { wordsOf } from '../operations/text/words.ts';
import type { RankingParameters } from './parameters.ts';
import { stem } from './stem.ts';
import { REQUEST_WORDS, STOP_WORDS } from './stop-words.ts';
import type { QueryTerm, Vocabulary } from './vocabulary.ts';
import { type Effect, wantedEffect } from './wanted-effect.ts';

/** A word of the query; its alternatives begin with the word itself, where the index knows it. */
export interface QueryWord {
  readonly alternatives: readonly QueryTerm[];
  /** Less than 1 for numbers and for the manners of requests. */
  readonly weight: number;
}

export interface ParsedQuery {
  /** Different words in order. */
  readonly words: readonly QueryWord[];
  /** Places in `words` of each clause; empty where there is only one clause. */
  readonly clauses: readonly (readonly number[])[];
  /** Of a query of one clause: several may want different things. */
  readonly effect: Effect | undefined;
}

/** Characters of a query that are read. */
export const MAX_QUERY_LENGTH = 2000;
/** Different words that are looked up. */
const MAX_WORDS = 100;
const MAX_CLAUSES = 8;
/** Verbs of two words, of which names make one: `login`, `signout`. */
const IN_TWO_WORDS = /\b(sign|log)(?:ging|ing|ged|ed)?[ -](in|out|up)\b/gi;
const CLAUSE_ENDS = /[.,;:!?\n](?:\s|$)|\s(?:and|then|also)\s/i;

export function parseQuery(text: string, vocabulary: Vocabulary, parameters: RankingParameters): ParsedQuery {
  const places = new Map<string, number>();
  const words: { alternatives: readonly QueryTerm[]; weight: number; times: number }[] = [];
  const clauses: number[][] = [];
  const joined = text.slice(0, MAX_QUERY_LENGTH).replace(IN_TWO_WORDS, '$& $1$2');
  const said = joined.split(CLAUSE_ENDS).map(wordsOf);
  for (const kept of withoutStopWords(said)) {
    const members = new Set<number>();
    const stems = kept.map(stem);
    stems.forEach((term, at) => {
      if (!places.has(term) && words.length < MAX_WORDS) {
        const alternatives = vocabulary.alternatives(term, stems[at + 1]);
        if (alternatives.length === 0) return;
        places.set(term, words.push({ alternatives, weight: weightOf(kept[at]!, parameters), times: 0 }) - 1);
      }
      const place = places.get(term);
      if (place === undefined) return;
      members.add(place);
      words[place]!.times++;
    });
    if (members.size > 0) clauses.push([...members]);
  }
  return {
    words: words.map(({ alternatives, weight, times }) => ({
      alternatives,
      weight: weight * times ** parameters.repetitionPower,
    })),
    clauses: clauses.length > 1 ? clauses.slice(0, MAX_CLAUSES) : [],
    effect: clauses.length > 1 ? undefined : wantedEffect(said.flat()),
  };
}

/** A query of stop words alone means them. */
function withoutStopWords(clauses: readonly string[][]): readonly string[][] {
  const kept = clauses.map((words) => words.filter((word) => !STOP_WORDS.has(word)));
  return kept.some(({ length }) => length > 0) ? kept : clauses;
}

function weightOf(word: string, { numberWeight, requestWeight }: RankingParameters): number {
  if (/^\d/.test(word)) return numberWeight;
  return REQUEST_WORDS.has(word) ? requestWeight : 1;
}
