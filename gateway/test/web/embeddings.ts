import { type Answer, type LoopbackService, startLoopbackService } from '../doubles/loopback-service.ts';

/** What a text means to the test's model: how often it says each of three words. */
export function meaning(text: string): number[] {
  const count = (word: string) => text.toLowerCase().split(word).length - 1;
  return [count('cat') + 0.01, count('dog') + 0.01, count('fish') + 0.01];
}

/** An endpoint that speaks the OpenAI API's `POST /embeddings`. */
export function startEmbeddings(key = 'embedding-key-77'): Promise<LoopbackService> {
  return startLoopbackService('/v1', ({ path, headers, body }): Answer => {
    if (path !== '/embeddings') return { status: 404, body: { error: { message: 'not here' } } };
    if (headers['authorization'] !== `Bearer ${key}`) {
      return { status: 401, body: { error: { message: `Incorrect API key: ${headers['authorization']}` } } };
    }
    const { input, model } = JSON.parse(body.toString()) as { input: string[]; model: string };
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: meaning(text) }));
    return {
      status: 200,
      body: { object: 'list', model, data: data.toReversed(), usage: { total_tokens: 1 } },
    };
  });
}
