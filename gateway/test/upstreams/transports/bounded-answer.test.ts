import { describe, expect, it } from 'vitest';
import { createPace, type Pace } from '../../../src/upstreams/pace.ts';
import { boundedAnswer } from '../../../src/upstreams/transports/bounded-answer.ts';

const LIMIT = 10;

function answer(type: string, ...pieces: readonly string[]): Promise<string> {
  return paced(type, pieces, createPace());
}

async function paced(type: string, pieces: readonly string[], pace: Pace): Promise<string> {
  const body = ReadableStream.from(pieces.map((piece) => Buffer.from(piece)));
  const response = new Response(body as ReadableStream<Uint8Array>, { headers: { 'content-type': type } });
  return (await boundedAnswer(response, 'host', pace, LIMIT)).text();
}

describe('what is kept of an answer', () => {
  it.each([
    ['a JSON answer', 'application/json', ['{"a":', '1}']],
    ['a JSON answer as large as may be', 'application/json', ['{"a":', '1234}']],
    ['a line as large as may be', 'text/event-stream', ['data:aaaaa', '\n\n']],
    ['events of a type in capitals', 'Text/Event-Stream', Array<string>(9).fill('data:a\n\n')],
    ['many small events', 'text/event-stream', Array<string>(50).fill('data:a\n\n')],
    ['events in one piece', 'text/event-stream', ['data:aaaaaaaaaaaa\n\ndata:b\n\n']],
    [
      'events whose ends fall between pieces',
      'text/event-stream',
      ['data:a\n', ...Array<string>(9).fill('\ndata:a\n')],
    ],
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

  it('what is only accepted is not read, also where its body never ends', async () => {
    const response = new Response(new ReadableStream(), { status: 202 });
    expect(await boundedAnswer(response, 'host', createPace())).toBe(response);
  });

  it('an answer whose length is known to be small is left as it is', async () => {
    const response = new Response('{}', {
      headers: { 'content-type': 'application/json', 'content-length': '2' },
    });
    expect(await boundedAnswer(response, 'host', createPace())).toBe(response);
  });
});

it('an answer that says itself that it is too large ends, too', async () => {
  const response = new Response('{"a":"aaaaaaa"}', {
    headers: { 'content-type': 'application/json', 'content-length': '15' },
  });
  await expect(boundedAnswer(response, 'host', createPace(), LIMIT)).rejects.toMatchObject({
    kind: 'too_large',
  });
});

describe('the pace of its events', () => {
  it.each([
    ['the first is the answer', 'text/event-stream', ['data:a\n\n'], [0]],
    ['each further one counts', 'text/event-stream', ['data:a\n\n:b\n\n', 'data:c\n\n', ':d'], [1, 1, 0]],
    ['whatever ends its lines', 'text/event-stream', ['a\n\nb\r\n\r\n', 'c\r\rd\r\r'], [1, 2]],
    ['lines of one event are one', 'text/event-stream', ['a\nb\r\nc\rd'], [0]],
    ['in whatever pieces it comes', 'text/event-stream', ['a\n', '\nb\n', '\nc\r\n\r', '\n'], [0, 0, 2, 0]],
    ['of JSON nothing counts', 'application/json', ['[\n\n', '\n\n]'], []],
  ])('%s', async (_, type, pieces, expected) => {
    const counted: number[] = [];
    await paced(type, pieces, {
      after(messages) {
        counted.push(messages);
        return 0;
      },
    });
    expect(counted).toEqual(expected);
  });

  it('is kept: what came is not passed on before its time', async () => {
    const began = performance.now();
    // Node may be a millisecond early
    await paced('text/event-stream', ['data:a\n\n', 'data:b\n\n'], { after: (events) => events * 40 });
    expect(performance.now() - began).toBeGreaterThan(38);
  });

  it("is a second's worth at once, then no faster", () => {
    const pace = createPace(1000);
    expect(pace.after(1000)).toBeLessThan(10);
    const wait = pace.after(500);
    expect(wait).toBeGreaterThan(300);
    expect(wait).toBeLessThanOrEqual(500);
    expect(pace.after(500) - wait).toBeGreaterThan(300);
  });
});
