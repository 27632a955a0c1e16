import { afterEach, describe, expect, it } from 'vitest';
import { createSecretReader } from '../../src/credentials/secret-reference.ts';
import { createEgress } from '../../src/egress/index.ts';
import type { OperationHit } from '../../src/operations/index.ts';
import { createEmbeddingReranker, type EmbeddingRerankerOptions } from '../../src/reranking/index.ts';
import {
  createOperationSearch,
  createSearchIndex,
  documentOf,
  rerankedHits,
} from '../../src/retrieval/index.ts';
import { OpenAiEmbedder } from '../../src/web/index.ts';
import { type Answer, type LoopbackService, startLoopbackService } from '../doubles/loopback-service.ts';
import { visible } from '../retrieval/operations.ts';

const KEY = 'reranking-key-41';
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** A model that knows three subjects, in whatever words. */
const SUBJECTS = [
  ['cat', 'kitten', 'feline'],
  ['dog', 'puppy', 'hound'],
  ['fish', 'trout', 'salmon'],
];

function meaning(text: string): number[] {
  const lower = text.toLowerCase();
  return SUBJECTS.map((words) => 0.01 + words.filter((word) => lower.includes(word)).length);
}

interface Endpoint {
  readonly service: LoopbackService;
  /** Texts of each request. */
  readonly batches: string[][];
  /** Dimensions are cut to it. */
  size: number;
}

/** An endpoint like the OpenAI API's: key, most texts in a request, vectors in any order with their index. */
async function startEndpoint(mostTexts = 2048): Promise<Endpoint> {
  const batches: string[][] = [];
  const endpoint = { batches, size: 3 };
  const service = await startLoopbackService('/v1', ({ path, headers, body }): Answer => {
    if (path !== '/embeddings') return failed(404, 'Unknown request URL');
    if (headers['authorization'] !== `Bearer ${KEY}`) return failed(401, 'Incorrect API key provided');
    const { input, model } = JSON.parse(body.toString()) as { input: string[]; model: string };
    if (input.length > mostTexts) return failed(400, `at most ${mostTexts} inputs`);
    batches.push(input);
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: meaning(text).slice(0, endpoint.size),
    }));
    return { status: 200, body: { object: 'list', model, data: data.toReversed() } };
  });
  open.push(service);
  return Object.assign(endpoint, { service });
}

function failed(status: number, message: string): Answer {
  return { status, body: { error: { message } } };
}

function rerankerAt({ service }: Endpoint, options: Partial<EmbeddingRerankerOptions> = {}, apiKey = KEY) {
  const egress = createEgress({ allow: [new URL(service.url).origin] });
  open.push(egress);
  const secrets = createSecretReader({ EMBEDDING_KEY: apiKey }, () => undefined);
  const settings = { baseUrl: service.url, model: 'small', apiKey: { env: 'EMBEDDING_KEY' } };
  const embedder = new OpenAiEmbedder(settings, { egress, secrets });
  return createEmbeddingReranker({ embedder, ...options });
}

const HITS: readonly OperationHit[] = [
  ['getHound', 'A hound.'],
  ['getTrout', 'A trout.'],
  ['getFeline', 'A feline.'],
].map(([name, description], at) => ({ operation: visible(name!, description!), score: 10 - at }));
const signal = new AbortController().signal;
const namesOf = (hits: readonly OperationHit[]) => hits.map(({ operation }) => operation.name);

describe('reranking by embeddings', () => {
  it('brings up what means the same in other words', async () => {
    const endpoint = await startEndpoint();
    const found = await rerankerAt(endpoint, { share: 0.9 }).rerank('feed my kitten', HITS, signal);
    expect(namesOf(found)[0]).toBe('getFeline');
    expect(found[0]!.score).toBeCloseTo(0.9);
    expect(endpoint.batches[0]![0]).toBe('feed my kitten');
  });

  it('keeps the order by words where meaning has no share, or says nothing', async () => {
    const endpoint = await startEndpoint();
    expect(namesOf(await rerankerAt(endpoint, { share: 0 }).rerank('kitten', HITS, signal))).toEqual(
      namesOf(HITS),
    );
    const same = HITS.map(({ operation }) => ({ operation, score: 1 }));
    expect(namesOf(await rerankerAt(endpoint).rerank('nothing known', same, signal))).toEqual(namesOf(HITS));
  });

  it('asks in batches, and for no text twice', async () => {
    const endpoint = await startEndpoint(2);
    const reranker = rerankerAt(endpoint, { batch: 2 });
    await reranker.rerank('kitten', HITS, signal);
    expect(endpoint.batches.map(({ length }) => length)).toEqual([2, 2]);
    await reranker.rerank('puppy', HITS, signal);
    expect(endpoint.batches.slice(2)).toEqual([['puppy']]);
  });

  it('forgets the least recently used vectors', async () => {
    const endpoint = await startEndpoint();
    const reranker = rerankerAt(endpoint, { cached: 2 });
    await reranker.rerank('kitten', HITS.slice(0, 2), signal);
    await reranker.rerank('kitten', HITS.slice(1), signal);
    await reranker.rerank('kitten', HITS.slice(0, 1), signal);
    expect(endpoint.batches.map(({ length }) => length)).toEqual([3, 2, 2]);
  });

  it('keeps what arrived before a request failed', async () => {
    const endpoint = await startEndpoint();
    const reranker = rerankerAt(endpoint, { batch: 2 });
    await reranker.rerank('kitten', HITS.slice(0, 1), signal);
    endpoint.service.answerNext(failed(500, 'overloaded'));
    await expect(reranker.rerank('kitten', HITS, signal)).rejects.toMatchObject({ code: 'upstream_status' });
    await reranker.rerank('kitten', HITS.slice(0, 1), signal);
    expect(endpoint.batches.at(-1)).toEqual(['kitten']);
  });

  it('starts anew where the model changed its vectors', async () => {
    const endpoint = await startEndpoint();
    const reranker = rerankerAt(endpoint);
    await reranker.rerank('kitten', HITS, signal);
    endpoint.size = 2;
    await expect(reranker.rerank('kitten', HITS, signal)).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(namesOf(await reranker.rerank('puppy', HITS, signal))[0]).toBe('getHound');
  });
});

describe('an endpoint that cannot answer', () => {
  it.each<[string, Answer | undefined, string]>([
    ['refuses the key', undefined, 'credentials_refused'],
    ['is asked too often', { status: 429, headers: { 'retry-after': '1' }, body: {} }, 'rate_limited'],
    ['fails', failed(500, 'overloaded'), 'upstream_status'],
    ['answers nonsense', { status: 200, body: { data: [] } }, 'upstream_failed'],
    [
      'answers vectors without a direction',
      {
        status: 200,
        body: { data: HITS.concat(HITS[0]!).map((_, index) => ({ index, embedding: [0, 0] })) },
      },
      'upstream_failed',
    ],
  ])('and %s leaves the order by words', async (_, answer, code) => {
    const endpoint = await startEndpoint();
    if (answer !== undefined) endpoint.service.answerNext(answer);
    const reranker = rerankerAt(endpoint, {}, answer === undefined ? 'wrong-key-9' : KEY);
    const errors: unknown[] = [];
    const found = await rerankedHits(reranker, 'kitten', HITS, signal, (error) => errors.push(error));
    expect(found).toEqual(HITS);
    expect(errors).toMatchObject([{ code }]);
    expect(String(errors[0])).not.toContain('wrong-key-9');
  });

  it('in time leaves the order by words', async () => {
    const endpoint = await startEndpoint();
    const silent = {
      embed: (_: readonly string[], options: { signal: AbortSignal }) => untilEnded(options.signal),
    };
    const errors: unknown[] = [];
    const reranker = rerankerAt(endpoint, { embedder: silent, timeoutMs: 5 });
    expect(await rerankedHits(reranker, 'kitten', HITS, signal, (error) => errors.push(error))).toEqual(HITS);
    expect(errors).toMatchObject([
      {
        code: 'deadline_exceeded',
        message: expect.stringContaining('did not answer within 5 ms'),
        next: expect.stringContaining('`search.embeddings.depth`'),
      },
    ]);
  });

  it('ends with the caller', async () => {
    const endpoint = await startEndpoint();
    const caller = new AbortController();
    const silent = {
      embed: (_: readonly string[], options: { signal: AbortSignal }) => untilEnded(options.signal),
    };
    const ranking = rerankedHits(rerankerAt(endpoint, { embedder: silent }), 'kitten', HITS, caller.signal);
    caller.abort();
    await expect(ranking).rejects.toMatchObject({ name: 'AbortError' });
  });
});

function untilEnded(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

it('works within a search over operations', async () => {
  const operations = [
    visible('getHound', 'An animal of the house.'),
    visible('getFeline', 'An animal of the house.'),
    visible('getTrout', 'An animal of the river.'),
  ];
  const index = createSearchIndex([
    { source: 'shop', stamp: 1, documents: () => operations.map(documentOf) },
  ]);
  const reranker = rerankerAt(await startEndpoint(), { share: 0.9 });
  const search = createOperationSearch(index, operations, { reranker });
  expect(namesOf(await search.search({ text: 'an animal like a puppy', limit: 1 }))).toEqual(['getHound']);
  expect(namesOf(await search.search({ text: 'an animal like a kitten', limit: 1 }))).toEqual(['getFeline']);
});
