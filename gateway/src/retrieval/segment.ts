import { eachWord } from '../operations/text/words.ts';
import type { Field, RankingParameters } from './parameters.ts';
import type { SearchDocument, SearchPart } from './search-document.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import type { Effect } from './wanted-effect.ts';

/** Marks a posting whose word stands in the name; the other 15 bits are the impact. */
export const IN_NAME = 0x8000;
export const IMPACT_SCALE = 0x7fff;

/** The inverted index of one source. Postings of a term: `documents[offsets[t]…]`, highest impact first. */
export interface Segment {
  readonly source: string;
  readonly stamp: unknown;
  /** What it was built with. */
  readonly parameters: RankingParameters;
  readonly keys: readonly string[];
  readonly names: readonly string[];
  /** Different words of each name. */
  readonly nameLengths: Uint8Array;
  readonly effects: readonly (Effect | undefined)[];
  readonly terms: ReadonlyMap<string, number>;
  readonly offsets: Uint32Array;
  readonly documents: Uint16Array | Uint32Array;
  /** Saturated, length-normalised share of a term in a document, 0 to `IMPACT_SCALE`, with `IN_NAME`. */
  readonly impacts: Uint16Array;
}

export function buildSegment(part: SearchPart, parameters: RankingParameters): Segment {
  const writer = new SegmentWriter(part.source, parameters);
  for (const document of part.documents()) writer.add(document);
  return writer.finish(part);
}

class SegmentWriter {
  readonly #source: string;
  readonly #parameters: RankingParameters;
  readonly #keys: string[] = [];
  readonly #names: string[] = [];
  readonly #nameLengths: number[] = [];
  readonly #effects: (Effect | undefined)[] = [];
  /** Word as it stands to its term; -1 for stop words. Forgotten when the segment is finished. */
  readonly #words = new Map<string, number>();
  readonly #terms = new Map<string, number>();
  #frequencies = new Float64Array(1024);
  #field = new Int32Array(256);
  #fieldLength = 0;
  readonly #touched: number[] = [];
  readonly #postings = new PostingBuffer();

  constructor(source: string, parameters: RankingParameters) {
    this.#source = source;
    this.#parameters = parameters;
  }

  add(document: SearchDocument): void {
    const ordinal = this.#keys.push(document.key) - 1;
    this.#names.push(document.name);
    this.#effects.push(document.effect);
    this.#read('name', document.name);
    const inName = this.#touched.length;
    this.#nameLengths.push(Math.min(255, inName));
    this.#readStopWords(document.name);
    this.#read('title', document.title);
    this.#read('summary', firstSentence(document.description));
    this.#read('description', document.description);
    this.#read('path', document.path);
    this.#read('method', METHOD_WORDS[document.method ?? '']);
    for (const tag of document.tags) this.#collect('tags', tag);
    this.#count('tags');
    this.#read('source', this.#source);
    const parameters = Object.entries(document.parameters);
    for (const [name] of parameters) this.#collect('parameterNames', name);
    this.#count('parameterNames');
    for (const [, text] of parameters) this.#collect('parameterTexts', text);
    this.#count('parameterTexts');
    this.#read('hints', document.hints);
    const { saturation } = this.#parameters;
    this.#touched.forEach((term, at) => {
      const frequency = this.#frequencies[term]!;
      const impact = Math.round((IMPACT_SCALE * frequency) / (saturation + frequency));
      this.#postings.push(term, ordinal, at < inName ? impact | IN_NAME : impact);
      this.#frequencies[term] = 0;
    });
    this.#touched.length = 0;
  }

  finish({ source, stamp }: SearchPart): Segment {
    const sorted = this.#postings.sorted(this.#terms.size, this.#keys.length);
    return {
      source,
      stamp,
      parameters: this.#parameters,
      keys: this.#keys,
      names: this.#names,
      nameLengths: Uint8Array.from(this.#nameLengths),
      effects: this.#effects,
      terms: this.#terms,
      ...sorted,
    };
  }

  /** So that a name of such words alone can be found; they count for nothing else. */
  #readStopWords(name: string): void {
    eachWord(name, (word) => {
      if (this.#fieldLength >= this.#parameters.fields.name.maxWords || this.#termOf(word) >= 0) return;
      this.#field[this.#fieldLength++] = this.#numberOf(stem(word));
    });
    this.#count('name');
  }

  #read(field: Field, text: string | undefined): void {
    if (text === undefined || text === '') return;
    this.#collect(field, text);
    this.#count(field);
  }

  #collect(field: Field, text: string): void {
    const { maxWords } = this.#parameters.fields[field];
    eachWord(text, (word) => {
      if (this.#fieldLength >= maxWords) return;
      const term = this.#termOf(word);
      if (term < 0) return;
      if (this.#fieldLength === this.#field.length) this.#field = grown(this.#field, Int32Array);
      this.#field[this.#fieldLength++] = term;
    });
  }

  #count(field: Field): void {
    const { weight, leastWords } = this.#parameters.fields[field];
    const share = weight / Math.max(this.#fieldLength, leastWords);
    for (let at = 0; at < this.#fieldLength; at++) {
      const term = this.#field[at]!;
      if (this.#frequencies[term] === 0) this.#touched.push(term);
      this.#frequencies[term]! += share;
    }
    this.#fieldLength = 0;
  }

  #termOf(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const term = STOP_WORDS.has(word) ? -1 : this.#numberOf(stem(word));
    this.#words.set(word, term);
    return term;
  }

  #numberOf(term: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const next = this.#terms.size;
    this.#terms.set(term, next);
    if (next >= this.#frequencies.length) this.#frequencies = grown(this.#frequencies, Float64Array);
    return next;
  }
}

const METHOD_WORDS: Readonly<Record<string, string>> = {
  GET: 'get list',
  POST: 'create add',
  PUT: 'update set',
  PATCH: 'update edit',
  DELETE: 'delete remove',
};

function firstSentence(text: string): string {
  const end = /[.!?](?:\s|$)|\n/.exec(text);
  return end === null ? text : text.slice(0, end.index);
}

/** Postings in the order of their documents, until all are known. */
class PostingBuffer {
  #terms = new Uint32Array(4096);
  #documents = new Uint32Array(4096);
  #impacts = new Uint16Array(4096);
  #length = 0;

  push(term: number, document: number, impact: number): void {
    if (this.#length === this.#terms.length) {
      this.#terms = grown(this.#terms, Uint32Array);
      this.#documents = grown(this.#documents, Uint32Array);
      this.#impacts = grown(this.#impacts, Uint16Array);
    }
    this.#terms[this.#length] = term;
    this.#documents[this.#length] = document;
    this.#impacts[this.#length++] = impact;
  }

  /** By term, then by impact from high to low, then by document: counting sorts, impacts to eight bits. */
  sorted(termCount: number, documentCount: number): Pick<Segment, 'offsets' | 'documents' | 'impacts'> {
    const order = countingSort(
      this.#length,
      256,
      undefined,
      (at) => 255 - ((this.#impacts[at]! & IMPACT_SCALE) >> 7),
    );
    const byTerm = countingSort(this.#length, termCount, order.order, (at) => this.#terms[at]!);
    const documents = documentCount > 0xffff ? new Uint32Array(this.#length) : new Uint16Array(this.#length);
    const impacts = new Uint16Array(this.#length);
    for (let to = 0; to < this.#length; to++) {
      const from = byTerm.order[to]!;
      documents[to] = this.#documents[from]!;
      impacts[to] = this.#impacts[from]!;
    }
    return { offsets: byTerm.offsets, documents, impacts };
  }
}

function countingSort(
  length: number,
  buckets: number,
  before: Uint32Array | undefined,
  bucketOf: (at: number) => number,
): { readonly order: Uint32Array; readonly offsets: Uint32Array } {
  const offsets = new Uint32Array(buckets + 1);
  for (let at = 0; at < length; at++) offsets[bucketOf(at) + 1]!++;
  for (let bucket = 0; bucket < buckets; bucket++) offsets[bucket + 1]! += offsets[bucket]!;
  const next = offsets.slice();
  const order = new Uint32Array(length);
  for (let at = 0; at < length; at++) {
    const item = before === undefined ? at : before[at]!;
    order[next[bucketOf(item)]!++] = item;
  }
  return { order, offsets };
}

function grown<T extends Int32Array | Uint32Array | Uint16Array | Float64Array>(
  array: T,
  Kind: new (length: number) => T,
): T {
  const larger = new Kind(array.length * 2);
  larger.set(array);
  return larger;
}
