import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { MOST_QUESTIONS, tapTransport } from '../../../src/upstreams/session/tapped-transport.ts';

/** A server whose questions go to a client; answers leave when told to. */
async function asking() {
  const inner: Transport = {
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
  const sent = Promise.withResolvers<void>();
  inner.send = () => sent.promise;
  let floods = 0;
  const tapped = tapTransport(inner, false, {
    take: () => false,
    unasked: () => undefined,
    flooded: () => void floods++,
    closed: () => undefined,
  });
  const heard: JSONRPCMessage[] = [];
  tapped.onmessage = (message) => void heard.push(message);
  await tapped.start();
  const say = (message: object) => inner.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  const ask = (id: number) => say({ id, method: 'elicitation/create', params: {} });
  const answer = (id: number) => tapped.send({ jsonrpc: '2.0', id, result: {} });
  return { ask, say, answer, arrive: () => sent.resolve(), heard, floods: () => floods };
}

test('a server that asks without end is found out; what it says otherwise is not counted', async () => {
  const { ask, say, heard, floods } = await asking();
  for (let id = 0; id < MOST_QUESTIONS; id++) ask(id);
  for (let id = 0; id < 1000; id++) say({ id, result: {} });
  for (let count = 0; count < 1000; count++) say({ method: 'notifications/progress', params: {} });
  expect([heard.length, floods()]).toEqual([MOST_QUESTIONS + 2000, 0]);
  ask(MOST_QUESTIONS);
  expect([heard.length, floods()]).toEqual([MOST_QUESTIONS + 2000, 1]);
});

test('a question is over when its answer has arrived, or when it was taken back', async () => {
  const { ask, say, answer, arrive, heard, floods } = await asking();
  for (let id = 0; id < MOST_QUESTIONS; id++) ask(id);
  ask(0);
  expect([heard.length, floods()]).toEqual([MOST_QUESTIONS, 0]);
  say({ method: 'notifications/cancelled', params: { requestId: 0 } });
  ask(MOST_QUESTIONS);
  expect(floods()).toBe(0);
  const leaving = answer(1);
  ask(1001);
  expect(floods()).toBe(1);
  arrive();
  await leaving;
  ask(1002);
  expect(floods()).toBe(1);
});

test('an answer to a request of the client is asked for, also under its id as text', async () => {
  const inner: Transport = {
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
  const strays: unknown[] = [];
  const tapped = tapTransport(inner, false, {
    take: () => false,
    unasked: (message) => void strays.push('id' in message && message.id),
    flooded: () => undefined,
    closed: () => undefined,
  });
  await tapped.start();
  for (const id of [0, 1]) await tapped.send({ jsonrpc: '2.0', id, method: 'ping' });
  for (const id of [0, '1', '1', 'x']) inner.onmessage?.({ jsonrpc: '2.0', id, result: {} });
  expect(strays).toEqual(['1', 'x']);
});

test('what the server says in any part of a message is concealed, and the rest is as it came', async () => {
  const inner: Transport = {
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  };
  const seen: JSONRPCMessage[] = [];
  const tapped = tapTransport(inner, false, {
    take: (message) => seen.push(message) > 0,
    unasked: () => undefined,
    flooded: () => undefined,
    closed: () => undefined,
    conceal: (said) => JSON.parse(JSON.stringify(said).replaceAll('key', '…')),
  });
  await tapped.start();
  for (const said of [{ method: 'key', params: { a: 'key' } }, { result: { a: 'key' } }, { error: 'key' }])
    inner.onmessage?.({ jsonrpc: '2.0', id: 'key', ...said } as unknown as JSONRPCMessage);
  expect(seen).toEqual([
    { jsonrpc: '2.0', id: 'key', method: 'key', params: { a: '…' } },
    { jsonrpc: '2.0', id: 'key', result: { a: '…' } },
    { jsonrpc: '2.0', id: 'key', error: '…' },
  ]);
});

test('the end is told to the session and to its client, and the client sees of which kind the transport is', async () => {
  const versions: string[] = [];
  const inner: Transport = {
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
    hasPerRequestStream: true,
    setProtocolVersion: (version) => void versions.push(version),
  };
  const told: string[] = [];
  const tapped = tapTransport(inner, false, {
    take: () => false,
    unasked: () => undefined,
    flooded: () => undefined,
    closed: () => void told.push('session'),
  });
  tapped.onclose = () => void told.push('client');
  await tapped.start();
  inner.onclose?.();
  expect(told).toEqual(['session', 'client']);
  expect(tapped.hasPerRequestStream).toBe(true);
  tapped.setProtocolVersion?.('2025-11-25');
  expect(versions).toEqual(['2025-11-25']);
});
