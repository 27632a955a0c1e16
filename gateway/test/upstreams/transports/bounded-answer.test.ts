import { describe, expect, it } from 'vitest';
import { boundedAnswer } from '../../../src/upstreams/transports/bounded-answer.ts';

const LIMIT = 10;

function answer(type: string, ...pieces: readonly string[]): Promise<string> {
  const body = ReadableStream.from(pieces.map((piece) => Buffer.from(piece)));
  const response = new Response(body as ReadableStream<Uint8Array>, { headers: { 'content-type': type } });
  return boundedAnswer(response, 'host', LIMIT).text();
}

describe('what is kept of an answer', () => {
  it.each([
    ['a JSON answer', 'application/json', ['{"a":', '1}']],
    ['many small events', 'text/event-stream', Array<string>(50).fill('data:a\n\n')],
    ['events in one piece', 'text/event-stream', ['data:aaaaaaaaaaaa\n\ndata:b\n\n']],
    ['other line ends', 'text/event-stream; charset=utf-8', Array<string>(9).fill('data:a\r\n\r\n')],
  ])('%s passes', async (_, type, pieces) => {
    expect(await answer(type, ...pieces)).toBe(pieces.join(''));
  });

  it.each([
    ['a JSON answer', 'application/json', ['{"a":', '"', 'aaaaaa', '"}']],
    ['an event without an end', 'text/event-stream', ['data:a\n\n', 'data:', 'aaaaaa', 'aaaaaa']],
    ['an event of many lines', 'text/event-stream', Array<string>(9).fill('data:a\n')],
  ])('%s that is too large ends', async (_, type, pieces) => {
    await expect(answer(type, ...pieces)).rejects.toMatchObject({ kind: 'too_large', sent: 'all' });
  });

  it('an answer whose length is known to be small is left as it is', () => {
    const response = new Response('{}', {
      headers: { 'content-type': 'application/json', 'content-length': '2' },
    });
    expect(boundedAnswer(response, 'host')).toBe(response);
  });
});
