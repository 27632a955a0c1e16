import { describe, expect, it } from 'vitest';
import { OpenSearchProvider, type OpenSearchSettings } from '../../../src/web/index.ts';
import { startOpenSearch } from '../../doubles/opensearch.ts';
import { meaning, startEmbeddings } from '../embeddings.ts';
import { closing, failureOf, parts } from '../searching.ts';

const keep = closing();

async function collection(settings: Partial<OpenSearchSettings> = {}) {
  const variant = settings.variant ?? 'opensearch';
  const double = keep(await startOpenSearch({ variant }));
  const embeddings = keep(await startEmbeddings());
  const given = parts([double.url, embeddings.url], { OS_PASSWORD: 'os-password-1' });
  keep(given.egress);
  for (const [id, text, tenant, year] of [
    ['1', 'The cat sat on the cat mat', 'a', 2020],
    ['2', 'A dog and a cat', 'b', 2022],
    ['3', 'Fish and more fish', 'a', 2024],
  ] as const) {
    double.documents.set(id, {
      text,
      title: `T${id}`,
      source: `https://docs.example/${id}`,
      tenant,
      year,
      embedding: meaning(text),
    });
  }
  const own = {
    baseUrl: double.url,
    index: 'chunks',
    embeddings: { baseUrl: embeddings.url, model: 'm', apiKey: 'embedding-key-77' },
    ...settings,
  };
  return { double, provider: new OpenSearchProvider(own as OpenSearchSettings, given) };
}

const ids = ({ chunks }: { chunks: readonly { id: string }[] }) => chunks.map(({ id }) => id);

describe('BM25', () => {
  it('finds by words; the question is the text of match, without operators', async () => {
    const { double, provider } = await collection();
    const answer = await provider.retrieve('cat OR *:* -secret:true', {}, { count: 2 });
    expect(ids(answer)).toEqual(['1', '2']);
    expect(answer).toMatchObject({
      provider: 'opensearch',
      chunks: [
        {
          text: 'The cat sat on the cat mat',
          source: 'https://docs.example/1',
          contentHash: expect.stringMatching(/^sha256:/),
          metadata: { tenant: 'a', year: 2020, title: 'T1' },
        },
        {},
      ],
      citations: [{ sourceUrl: 'https://docs.example/1' }, { sourceUrl: 'https://docs.example/2' }],
    });
    expect(double.lastBody()).toMatchObject({
      size: 2,
      query: { match: { text: { query: 'cat OR *:* -secret:true', operator: 'or' } } },
    });
    expect(JSON.stringify(double.lastBody())).not.toContain('query_string');
  });

  it('over several fields is multi_match with its boosts', async () => {
    const { double, provider } = await collection({ fields: { search: ['title^2', 'text'] } });
    expect(ids(await provider.retrieve('T3 dog'))).toEqual(['3', '2']);
    expect(double.lastBody()['query']).toEqual({
      multi_match: { query: 'T3 dog', fields: ['title^2', 'text'], type: 'best_fields' },
    });
  });

  it.each([
    [{ tenant: 'a' }, ['1']],
    [{ tenant: ['a', 'b'] }, ['1', '2']],
    [{ year: { gte: 2021 } }, ['2']],
    [{ tenant: 'b', year: { gt: 2019, lte: 2022 } }, ['2']],
    [{ tenant: 'c' }, []],
  ])('with the filters %j gives %j', async (filters, expected) => {
    const { provider } = await collection();
    expect(ids(await provider.retrieve('cat', filters))).toEqual(expected);
  });
});

describe('filters', () => {
  it('of the operator always apply, and a caller cannot replace them', async () => {
    const { double, provider } = await collection({ fixedFilters: { tenant: 'a' } });
    expect(ids(await provider.retrieve('cat', { tenant: 'b' }))).toEqual([]);
    expect(ids(await provider.retrieve('cat'))).toEqual(['1']);
    expect(double.lastBody()).toMatchObject({ query: { bool: { filter: [{ term: { tenant: 'a' } }] } } });
  });

  it.each([
    [{ secret: 'x' }, '/filters/secret'],
    [{ tenant: [] }, '/filters/tenant'],
    [{ tenant: { like: 'a' } }, '/filters/tenant'],
    [{ tenant: null }, '/filters/tenant'],
  ])('%j are refused before anything is sent', async (filters, pointer) => {
    const { double, provider } = await collection({ filterFields: ['tenant'] });
    expect(await failureOf(provider.retrieve('cat', filters as never))).toMatchObject({
      code: 'arguments_invalid',
      pointer,
    });
    expect(double.requests).toHaveLength(0);
  });
});

describe('nearest neighbours', () => {
  it('are asked for with the vector of the question, the filter inside', async () => {
    const { double, provider } = await collection({ mode: 'knn' });
    expect(ids(await provider.retrieve('fish', {}, { count: 1 }))).toEqual(['3']);
    expect(ids(await provider.retrieve('fish', { tenant: 'b' }, { count: 1 }))).toEqual(['2']);
    expect(double.lastBody()['query']).toEqual({
      knn: {
        embedding: {
          vector: meaning('fish'),
          k: 1,
          filter: { bool: { filter: [{ term: { tenant: 'b' } }] } },
        },
      },
    });
  });

  it('and words together are a hybrid query through the pipeline', async () => {
    const { double, provider } = await collection({ mode: 'hybrid', searchPipeline: 'norm' });
    expect(ids(await provider.retrieve('dog', { tenant: ['a', 'b'] }))[0]).toBe('2');
    expect(double.requests[0]?.target).toBe('/chunks/_search?search_pipeline=norm');
  });

  it('need embeddings', () => {
    expect(() => new OpenSearchProvider({ baseUrl: 'http://127.0.0.1:9', index: 'i', mode: 'knn' })).toThrow(
      /embeddings/,
    );
  });

  it.each(['knn', 'hybrid'] as const)('of Elasticsearch (%s) stand at the root of the body', async (mode) => {
    const { double, provider } = await collection({ variant: 'elasticsearch', mode });
    expect(ids(await provider.retrieve('fish', { tenant: 'a' }, { count: 1 }))).toEqual(['3']);
    expect(double.lastBody()['knn']).toMatchObject({ field: 'embedding', k: 1, num_candidates: 100 });
    expect(double.lastBody()['query'] === undefined).toBe(mode === 'knn');
  });
});

describe('an answer of 200', () => {
  it('with failed shards is given with a warning', async () => {
    const { double, provider } = await collection();
    double.trouble = { failedShards: 2, timedOut: true };
    expect((await provider.retrieve('cat')).warnings).toEqual([
      '2 of 5 shards failed (Data too large): results are incomplete.',
      'The search ran out of time: results are incomplete.',
    ]);
  });

  it.each([
    [{ failedShards: 5, timedOut: false }, 'shards_failed'],
    [{ failedShards: 0, timedOut: true }, 'timed_out'],
  ])('without hits, with %j, is an error and not "nothing found"', async (trouble, kind) => {
    const { double, provider } = await collection();
    double.trouble = trouble;
    expect(await failureOf(provider.retrieve('elephant'))).toMatchObject({
      code: 'upstream_failed',
      details: { kind },
    });
  });

  it('that is no answer of a search is an error', async () => {
    const { double, provider } = await collection();
    double.answerNext({ status: 200, body: { ok: true } });
    expect(await failureOf(provider.retrieve('cat'))).toMatchObject({ code: 'upstream_failed' });
  });
});

describe('what the service refuses', () => {
  it('is told with its reason', async () => {
    const { provider } = await collection({ index: 'other' });
    const error = await failureOf(provider.retrieve('cat'));
    expect(error).toMatchObject({ code: 'upstream_status', status: 404 });
    expect(error.message).toContain('index_not_found_exception: no such index [other]');
  });

  it('sends the credential as it was configured', async () => {
    const pair = { username: 'reader', password: { env: 'OS_PASSWORD' } };
    const { double, provider } = await collection({ basic: pair });
    await provider.retrieve('cat');
    expect(double.requests[0]?.headers['authorization']).toBe(`Basic ${btoa('reader:os-password-1')}`);
    const keyed = await collection({ apiKey: 'es-key-1', variant: 'elasticsearch' });
    await keyed.provider.retrieve('cat');
    expect(keyed.double.requests[0]?.headers['authorization']).toBe('ApiKey es-key-1');
  });
});
