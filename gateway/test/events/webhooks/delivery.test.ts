import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEgress, type Egress } from '../../../src/egress/index.ts';
import { deliver } from '../../../src/events/webhooks/delivery.ts';
import type { Webhook } from '../../../src/events/webhooks/webhook.ts';
import { callEnded } from '../../store/support/records.ts';

let received: IncomingMessage[] = [];
let answer: { readonly status: number; readonly headers?: Record<string, string> };
let egress: Egress;
let close: () => Promise<void>;
let url = '';

beforeEach(async () => {
  received = [];
  const server = createServer((request, response) => {
    received.push(request);
    response.writeHead(answer.status, answer.headers).end('the word of the receiver');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  egress = createEgress({ allow: [new URL(url).origin] });
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
});
afterEach(async () => {
  await egress.close();
  await close();
});

const redirectOf = (status: number) =>
  expect.stringMatching(
    new RegExp(`redirects to http:.* \\(${status}\\).*\\. Signed events follow no redirect\\.$`),
  );
const EVENT = { ...callEnded('c1'), sequence: 7, time: '2026-01-02T03:04:05.006Z' };
const send = (origin = 'o1', secret = 'a secret') => {
  const hook: Webhook = { name: 'ops', url, secret: async () => secret, format: 'event', attempts: 3 };
  return deliver(hook, EVENT, { egress, origin }, new AbortController().signal);
};

it.each<[number, Record<string, string>, object]>([
  [200, {}, { outcome: 'delivered' }],
  [204, {}, { outcome: 'delivered' }],
  [301, { location: '/elsewhere' }, { outcome: 'failed', error: redirectOf(301) }],
  [302, { location: '/elsewhere' }, { outcome: 'failed', error: redirectOf(302) }],
  [303, { location: '/elsewhere' }, { outcome: 'failed', error: redirectOf(303) }],
  [307, { location: '/elsewhere' }, { outcome: 'failed', error: redirectOf(307) }],
  [308, { location: '/elsewhere' }, { outcome: 'failed', error: redirectOf(308) }],
  [304, {}, { outcome: 'failed', error: 'The receiver answered 304.' }],
  [400, {}, { outcome: 'refused', error: 'The receiver answered 400.' }],
  [422, {}, { outcome: 'refused', error: 'The receiver answered 422.' }],
  [401, {}, { outcome: 'failed', error: 'The receiver answered 401.' }],
  [404, {}, { outcome: 'failed', error: 'The receiver answered 404.' }],
  [410, {}, { outcome: 'failed', error: 'The receiver answered 410.' }],
  [
    429,
    { 'retry-after': '7' },
    { outcome: 'failed', error: 'The receiver answered 429.', retryAfterMs: 7000 },
  ],
  // the cap on a moment that is far away, so that the test knows no clock
  [
    503,
    { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' },
    { outcome: 'failed', error: 'The receiver answered 503.', retryAfterMs: 30 * 24 * 3_600_000 },
  ],
  [503, { 'retry-after': 'soon' }, { outcome: 'failed', error: 'The receiver answered 503.' }],
])(
  'an answer of %i with %j comes to %j, and the event goes nowhere else',
  async (status, headers, outcome) => {
    answer = { status, headers };
    expect(await send()).toEqual(outcome);
    expect(received.map((request) => request.url)).toEqual(['/hook']);
  },
);

it('has an id of the gateway that sends it, the same at every attempt', async () => {
  answer = { status: 500 };
  await send();
  await send();
  await send('o2');
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual(['evt_o1_7', 'evt_o1_7', 'evt_o2_7']);
});

it('says why nobody answered, without the path, which may hold a secret', async () => {
  await close();
  const delivery = await send();
  expect(delivery).toEqual({
    outcome: 'failed',
    error: expect.stringMatching(/^No answer: 127\.0\.0\.1:\d+ refuses the connection \(ECONNREFUSED\)\.$/),
  });
  expect(JSON.stringify(delivery)).not.toContain('/hook');
});

it('is not sent with a secret that only looks like one of the standard', async () => {
  for (const secret of ['whsec_my secret!', 'whsec_']) {
    expect(await send('o1', secret)).toEqual({
      outcome: 'failed',
      error: 'The secret begins with whsec_, and what follows is not base64: nothing was sent.',
    });
  }
  expect(received).toEqual([]);
});
