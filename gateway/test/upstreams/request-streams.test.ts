import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallsInFlight } from '../../src/upstreams/session/calls-in-flight.ts';
import { createRequests } from '../../src/upstreams/session/requests.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One request whose answer comes on a stream of its own. */
function asked(signal?: AbortSignal) {
  let sent: { id: number; options: TransportSendOptions | undefined } | undefined;
  const transport: Transport = {
    hasPerRequestStream: true,
    start: async () => undefined,
    close: async () => undefined,
    async send(message, options) {
      if ('method' in message && 'id' in message) sent = { id: Number(message.id), options };
    },
  };
  const requests = createRequests(
    transport,
    createCallsInFlight(true),
    () => undefined,
    () => {},
  );
  const terms = { deadline: Date.now() + 60_000, ...(signal === undefined ? {} : { signal }) };
  const result = requests.send('tools/call', {}, terms);
  const { id, options } = sent!;
  const answer = () => requests.take({ jsonrpc: '2.0', id, result: {} } as JSONRPCMessage);
  return {
    result,
    answer,
    ended: () => options?.onRequestStreamEnd?.(),
    left: () => options?.requestSignal?.aborted,
  };
}

test('the stream of an answered request is left where the server does not close it', async () => {
  const { result, answer, left } = asked();
  vi.advanceTimersByTime(30_000);
  expect(left()).toBe(false);
  answer();
  await result;
  vi.advanceTimersByTime(999);
  expect(left()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(left()).toBe(true);
});

test('so is that of a cancelled one, whatever the server still says on it', async () => {
  const caller = new AbortController();
  const { result, left } = asked(caller.signal);
  caller.abort();
  await expect(result).rejects.toMatchObject({ kind: 'cancelled' });
  vi.advanceTimersByTime(1000);
  expect(left()).toBe(true);
});

test('a stream that its server closed is let be', async () => {
  const { result, answer, ended, left } = asked();
  answer();
  ended();
  await result;
  vi.advanceTimersByTime(60_000);
  expect(left()).toBe(false);
});
