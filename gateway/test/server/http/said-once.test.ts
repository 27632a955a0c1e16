import { expect, test } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Principal } from '../../../src/operations/index.ts';
import { httpEndpoint } from './http-endpoint.ts';

const ANN: Principal = { id: 'ann', kind: 'user', organisation: 'o', maxAccess: 'delete', roles: [] };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
const ANSWER = { jsonrpc: '2.0', id: 7, result: { action: 'accept', content: {} } };
const NOTICE = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** A gateway in whose sessions nobody is known as often as the store is said to be away. */
async function gateway() {
  const store = { awayFor: 0, asked: 0 };
  const authenticate = async (bearer: string) => {
    store.asked++;
    if (store.awayFor > 0) {
      store.awayFor--;
      throw new ToolcribError('store_unavailable', 'The store did not answer: ECONNREFUSED.');
    }
    if (bearer !== 'ann') throw new ToolcribError('unauthorized', 'The API key was revoked.');
    return ANN;
  };
  const endpoint = await httpEndpoint({ tools: [] }, { maxBodyBytes: 200_000 }, {}, { authenticate });
  const post = async (body: unknown, session?: string, bearer = 'ann') => {
    const response = await endpoint.request('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    });
    await response.text();
    return response;
  };
  const session = (await post(INITIALIZE)).headers.get('mcp-session-id')!;
  store.asked = 0;
  return {
    store,
    session,
    post,
    close: () => endpoint.server.close(),
    [Symbol.asyncDispose]: endpoint[Symbol.asyncDispose],
  };
}

test.each([
  ['an answer to a question', ANSWER],
  ['a notice', NOTICE],
])('%s waits while the store is away: no client sends it again', async (_what, message) => {
  await using at = await gateway();
  at.store.awayFor = 2;
  expect((await at.post(message, at.session)).status).toBe(202);
  expect(at.store.asked).toBe(3);
});

test.each([
  ['a request', LIST, true],
  ['an answer and a request together', [ANSWER, LIST], true],
  ['an answer in a session that there is not', ANSWER, false],
  ['an answer that is longer than people write', { ...ANSWER, result: 'x'.repeat(70_000) }, true],
])('%s is refused at once while the store is away', async (_what, body, isKnown) => {
  await using at = await gateway();
  at.store.awayFor = 2;
  expect((await at.post(body, isKnown ? at.session : 'made-up')).status).toBe(503);
  expect(at.store.asked).toBe(1);
});

test('who is refused when the store is back is refused', async () => {
  await using at = await gateway();
  at.store.awayFor = 1;
  expect((await at.post(ANSWER, at.session, 'eve')).status).toBe(401);
});

test('a gateway that is stopped waits for no store', async () => {
  await using at = await gateway();
  at.store.awayFor = Number.POSITIVE_INFINITY;
  const answer = at.post(ANSWER, at.session);
  await expect.poll(() => at.store.asked).toBeGreaterThan(1);
  const closed = at.close();
  expect((await answer).status).toBe(503);
  await closed;
});
