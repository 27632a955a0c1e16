import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '../../src/operations/chat.ts';
import { chatSetup, closeAfterEach, only, says, tool } from './chat-setup.ts';

closeAfterEach();

const LOOKUP = tool('look_up', { readOnly: true });
const WRITE = tool('write_note');

describe('bounds', () => {
  test('after the last round it is asked once more, without tools, and the event says so', async () => {
    const { model, run, calls } = await chatSetup({
      tools: async () => ({ static: [LOOKUP], dynamic: [] }),
    });
    const again = { calls: [{ name: 'look_up' }] };
    model.say(again, again, { text: 'That is all I found.', calls: [{ name: 'look_up' }] });
    const events = await run({ maxRounds: 2 });
    expect(only(events, 'round')).toEqual([
      { type: 'round', round: 1, of: 2, final: false },
      { type: 'round', round: 2, of: 2, final: false },
      { type: 'round', round: 3, of: 2, final: true },
    ]);
    expect(calls).toHaveLength(2);
    expect(model.questions.map(({ body }) => body.tools?.length)).toEqual([1, 1, undefined]);
    expect(model.questions[2]!.body.messages[0]!.content).toContain('No tool can be called any more.');
    expect(events.at(-1)).toMatchObject({ finish_reason: 'rounds', rounds: 3, text: 'That is all I found.' });
  });

  test('a caller may ask for fewer rounds, never for more than configured', async () => {
    const { model, run } = await chatSetup({
      configuration: () => ({ baseUrl: model.url, model: 'scripted', maxRounds: 1 }),
      tools: async () => ({ static: [LOOKUP], dynamic: [] }),
    });
    model.say({ calls: [{ name: 'look_up' }] }, { text: 'done' });
    const events = await run({ maxRounds: 100 });
    expect(only(events, 'round').map(({ of, final }) => [of, final])).toEqual([
      [1, false],
      [1, true],
    ]);
  });

  test('a long result is cut, its frame is whole; a long conversation gets no more tools', async () => {
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [LOOKUP], dynamic: [] }),
      call: async () => says('x'.repeat(100_000)),
    });
    model.say({ calls: Array.from({ length: 40 }, () => ({ name: 'look_up' })) }, { text: 'enough' });
    const events = await run();
    const [, second] = model.questions;
    const results = second!.body.messages.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(40);
    for (const { content } of results) {
      expect(content!.length).toBeLessThan(61_000);
      expect(content).toMatch(/\[cut: the result is longer\]\nEND TOOL RESULT [0-9a-f]{32}$/);
    }
    expect(second!.body.tools).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: 'done', finish_reason: 'rounds' });
  });

  test('of an answer that calls without end, a bounded number is carried out', async () => {
    const { model, run, calls } = await chatSetup({
      tools: async () => ({ static: [WRITE], dynamic: [] }),
    });
    model.say({ calls: Array.from({ length: 200 }, () => ({ name: 'write_note' })) }, { text: 'ok' });
    await run();
    expect(calls).toHaveLength(64);
  });
});

describe('ends', () => {
  test('when the caller goes away, the question to the model ends', async () => {
    const { model, stream } = await chatSetup();
    const leave = new AbortController();
    model.say({ text: 'one two three four', holdAfter: 3, hold: new Promise(() => undefined) });
    const events: ChatEvent[] = [];
    for await (const event of stream({ signal: leave.signal })) {
      events.push(event);
      if (event.type === 'message.delta') leave.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'cancelled', rounds: 1 });
    expect(await model.questions[0]!.left).toBe(true);
  });

  test('when nobody reads on, the question ends, too', async () => {
    const { model, stream } = await chatSetup();
    model.say({ text: 'one two three four', holdAfter: 3, hold: new Promise(() => undefined) });
    for await (const event of stream()) if (event.type === 'message.delta') break;
    expect(await model.questions[0]!.left).toBe(true);
  });

  test('when nobody reads on, calls under way end', async () => {
    const ended = Promise.withResolvers<void>();
    const { model, stream } = await chatSetup({
      tools: async () => ({ static: [WRITE], dynamic: [] }),
      call: async ({ signal }) => {
        signal.addEventListener('abort', () => ended.resolve(), { once: true });
        await ended.promise;
        return says('never');
      },
    });
    model.say({ calls: [{ name: 'write_note' }] });
    for await (const event of stream()) if (event.type === 'tool.call') break;
    await ended.promise;
    expect(model.questions).toHaveLength(1);
  });

  test('a signal ends the calls under way; nothing is asked any more', async () => {
    const leave = new AbortController();
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [WRITE], dynamic: [] }),
      call: async ({ signal }) => {
        leave.abort();
        signal.throwIfAborted();
        return says('never');
      },
    });
    model.say({ calls: [{ name: 'write_note' }, { name: 'write_note' }] }, { text: 'never' });
    const events = await run({ signal: leave.signal });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'cancelled', rounds: 1, messages: [] });
    expect(model.questions).toHaveLength(1);
  });

  test('when the process is about to end, calls under way finish and no further answer is asked for', async () => {
    const stop = new AbortController();
    const { model, run } = await chatSetup({
      tools: async () => ({ static: [WRITE], dynamic: [] }),
      call: async ({ signal }) => {
        stop.abort();
        signal.throwIfAborted();
        return says('written');
      },
    });
    model.say({ calls: [{ name: 'write_note' }] }, { text: 'never' });
    const events = await run({ stop: stop.signal });
    expect(only(events, 'tool.result')[0]).toMatchObject({ status: 'ok' });
    expect(only(events, 'round')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'cancelled',
      message: 'The gateway is shutting down.',
      rounds: 1,
      messages: [{ role: 'assistant' }, { role: 'tool' }],
    });
    expect(model.questions).toHaveLength(1);
  });
});
