import { request as send } from 'node:http';
import { expect, test } from 'vitest';
import type { Principal } from '../../../src/operations/index.ts';
import { httpEndpoint } from './http-endpoint.ts';

const MAX_BODY = 100_000;
const authenticate = async (id: string): Promise<Principal> => ({
  id,
  kind: 'user',
  organisation: 'o',
  maxAccess: 'read',
  roles: [],
});
const endpoint = () => httpEndpoint({}, { maxBodyBytes: MAX_BODY }, {}, { authenticate });
const headers = (user: string) => ({ authorization: `Bearer ${user}`, 'content-type': 'application/json' });

/** Announces a body of the greatest size and sends a part of it. */
function halfSent(url: string, user: string) {
  const sent = send(new URL('/mcp', url), {
    method: 'POST',
    headers: { ...headers(user), 'content-length': MAX_BODY },
  });
  sent.on('error', () => undefined).write('{');
  return sent;
}

test('bodies that are never sent to their end are bounded for each user, until their connections are gone', async () => {
  await using server = await endpoint();
  const ping = async (user: string, size: number) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }).padEnd(size);
    const response = await server.request('/mcp', { method: 'POST', headers: headers(user), body });
    return { status: response.status, text: await response.text() };
  };
  const half = Array.from({ length: 32 }, () => halfSent(server.url, 'ann'));
  await expect.poll(() => ping('ann', MAX_BODY)).toMatchObject({ status: 429 });
  expect((await ping('ann', MAX_BODY)).text).toContain('overloaded');
  expect((await ping('bob', MAX_BODY)).status).toBe(400);
  for (const one of half) one.destroy();
  await expect.poll(() => ping('ann', MAX_BODY)).toMatchObject({ status: 400 });
});

test('who is not known yet sends little', async () => {
  await using server = await endpoint();
  const body = JSON.stringify({ token: 'x'.repeat(70_000) });
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  expect(await server.json('/api/v1/session', init)).toMatchObject([
    413,
    { error: { code: 'body_too_large' } },
  ]);
});

test('an answer ends its request', async () => {
  await using server = await endpoint();
  const status = async () => (await server.json('/api/v1/config', { headers: headers('ann') }))[0];
  for (let count = 0; count < 1050; count += 50)
    expect(new Set(await Promise.all(Array.from({ length: 50 }, status)))).toEqual(new Set([200]));
});
