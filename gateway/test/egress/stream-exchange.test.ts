import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import type { Connections } from '../../src/egress/connections.ts';
import { streamExchange } from '../../src/egress/stream-exchange.ts';
import type { WireRequest } from '../../src/egress/wire-request.ts';

const REQUEST = { url: new URL('http://api.example/'), method: 'GET', headers: [] } as unknown as WireRequest;
const LIMITS = { headersTimeoutMs: 0, idleTimeoutMs: 0, maxRedirects: 0 };

it('a service is kept waiting while nobody reads what it sent, and goes on once somebody does', async () => {
  const said: string[] = [];
  const wire = {
    pause: () => void said.push('pause'),
    resume: () => void said.push('resume'),
    abort: () => void said.push('abort'),
  } as unknown as Dispatcher.DispatchController;
  let handler: Dispatcher.DispatchHandler = {};
  const connections = {
    dispatcher: {
      dispatch(_: unknown, given: Dispatcher.DispatchHandler) {
        handler = given;
      },
    },
    freed: () => undefined,
    answered: () => undefined,
  } as unknown as Connections;
  const answer = streamExchange(connections, REQUEST, LIMITS, undefined);
  handler.onRequestStart?.(wire, undefined);
  handler.onResponseStart?.(wire, 200, {});
  const reader = (await answer).body!.getReader();
  said.splice(0);
  handler.onResponseData?.(wire, Buffer.from('one'));
  expect(said).toEqual(['pause']);
  await reader.read();
  await expect.poll(() => said).toEqual(['pause', 'resume']);
  await reader.cancel();
  expect(said.at(-1)).toBe('abort');
});
