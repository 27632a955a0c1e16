import { afterEach, expect, it } from 'vitest';
import { createEgress } from '../../src/egress/index.ts';
import { type RecordingServer, redirect, respond, startServer } from './recording-server.ts';

const LIMITS = { timeoutMs: 5000, maxBytes: 1000, maxRedirects: 3 };
let server: RecordingServer;
afterEach(() => server.close());

it('a redirect is an answer like any other where the caller looks at targets itself', async () => {
  server = await startServer({ '/': redirect(302, '/next'), '/next': respond(200, 'ok') });
  const egress = createEgress({ allow: [server.authority] });
  const request = { method: 'GET', url: `${server.origin}/`, headers: [] };
  const { signal } = new AbortController();
  const answer = await egress.request({ ...request, redirect: 'manual' }, LIMITS, signal);
  expect([answer.status, answer.headers['location']]).toEqual([302, '/next']);
  expect(server.requests).toHaveLength(1);
  expect((await egress.request({ ...request, redirect: 'follow' }, LIMITS, signal)).status).toBe(200);
  await egress.close();
});
