import { describe, expect, it } from 'vitest';
import { OpenAiEmbedder } from '../../src/web/index.ts';
import { meaning, startEmbeddings } from './embeddings.ts';
import { closing, failureOf, parts } from './searching.ts';

const keep = closing();

async function embedder(settings = {}) {
  const double = keep(await startEmbeddings());
  const given = parts([double.url], { EMBEDDING_KEY: 'embedding-key-77' });
  keep(given.egress);
  const base = { baseUrl: double.url, model: 'small', apiKey: { env: 'EMBEDDING_KEY' } };
  return { double, embedder: new OpenAiEmbedder({ ...base, ...settings }, given) };
}

describe('embeddings', () => {
  it('come back in the order of the texts', async () => {
    const { embedder: one, double } = await embedder({ dimensions: 3 });
    expect(await one.embed(['cat', 'dog dog'])).toEqual([meaning('cat'), meaning('dog dog')]);
    expect(JSON.parse(String(double.requests[0]?.body))).toEqual({
      model: 'small',
      input: ['cat', 'dog dog'],
      encoding_format: 'float',
      dimensions: 3,
    });
  });

  it.each([
    [{ apiKey: 'wrong-key-1' }, undefined, 'credentials_refused'],
    [{ dimensions: 4 }, undefined, 'upstream_failed'],
    [{}, { status: 429, body: {} }, 'rate_limited'],
    [{}, { status: 200, body: { data: [] } }, 'upstream_failed'],
    [{}, { status: 200, body: { data: [{ embedding: [1, null, 3] }] } }, 'upstream_failed'],
    [{}, { status: 500, body: { error: { message: 'down' } } }, 'upstream_status'],
  ])('with %j answered by %j are %s', async (settings, answer, code) => {
    const { embedder: one, double } = await embedder(settings);
    if (answer !== undefined) double.answerNext(answer);
    const error = await failureOf(one.embed(['cat']));
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('wrong-key-1');
  });
});
