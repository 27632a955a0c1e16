import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChatEvent } from '../../../../../src/operations/chat.ts';
import { chatStream } from '../../../../../src/server/http/routes/chat/chat-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ROUND: ChatEvent = { type: 'round', round: 1, of: 8, final: false };

test('a silent conversation keeps its connection open, and what comes then is not lost', async () => {
  const speaks = Promise.withResolvers<void>();
  async function* events(): AsyncGenerator<ChatEvent> {
    yield ROUND;
    await speaks.promise;
    yield { type: 'message.delta', text: 'Hi.' };
  }
  let released = 0;
  const response = await chatStream(events(), () => released++);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await reader.read()).value;
  expect(await next()).toBe(`event: round\ndata: ${JSON.stringify(ROUND)}\n\n`);
  const quiet = next();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await quiet).toBe(': keep-alive\n\n');
  speaks.resolve();
  expect(await next()).toBe('event: message.delta\ndata: {"type":"message.delta","text":"Hi."}\n\n');
  expect(await next()).toBeUndefined();
  expect(released).toBe(1);
});

test('a reader who leaves releases it', async () => {
  const left = Promise.withResolvers<void>();
  async function* events(): AsyncGenerator<ChatEvent> {
    yield ROUND;
    await new Promise(() => undefined);
  }
  const response = await chatStream(events(), left.resolve);
  await response.body!.cancel();
  await left.promise;
});

test('what fails before the first event rejects, and releases it', async () => {
  let released = 0;
  async function* events(): AsyncGenerator<ChatEvent> {
    yield await Promise.reject(new Error('no model'));
  }
  await expect(chatStream(events(), () => released++)).rejects.toThrow('no model');
  expect(released).toBe(1);
});
