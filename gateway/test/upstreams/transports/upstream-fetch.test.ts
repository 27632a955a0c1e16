import { expect, it, onTestFinished } from 'vitest';
import { createEgress } from '../../../src/egress/index.ts';
import type { TokenSource } from '../../../src/upstreams/oauth/token-source.ts';
import { upstreamFetch } from '../../../src/upstreams/transports/upstream-fetch.ts';
import { type Answer, type LoopbackService, startLoopbackService } from '../../doubles/loopback-service.ts';

async function serve(answer: (authorization: string | undefined) => Answer): Promise<LoopbackService> {
  const service = await startLoopbackService('/mcp', ({ headers }) => answer(headers.authorization));
  onTestFinished(() => service.close());
  return service;
}

/** What the SDK is given to send with, for a server whose tokens are `first`, then counted ones. */
function fetchOf(
  url: string,
  headers: ReadonlyArray<readonly [string, string]> = [],
  ...allowed: readonly string[]
) {
  const egress = createEgress({ allow: [url, ...allowed].map((one) => new URL(one).origin) });
  onTestFinished(() => egress.close());
  let count = 0;
  const next = async () => `token-${++count}`;
  const tokens: TokenSource = { current: async () => 'first', renewed: next, steppedUp: next };
  return upstreamFetch({ egress, name: 'remote', url, headers, tokens });
}

const POST = { method: 'POST', body: '{}' };
const sent = ({ requests }: LoopbackService) => requests.map(({ headers }) => headers.authorization);
const challenge = (error: string) => ({ 'www-authenticate': `Bearer error="${error}", scope="more"` });

it('a credential goes to no other port of its host, nor in the clear', async () => {
  const server = await serve(() => ({ status: 202 }));
  const other = await serve(() => ({ status: 202 }));
  const send = fetchOf(server.url, [], other.url);
  await expect(send(other.url, POST)).rejects.toMatchObject({ code: 'egress_blocked' });
  await expect(send(server.url.replace('http:', 'https:'), POST)).rejects.toMatchObject({
    code: 'egress_blocked',
  });
  expect([...sent(server), ...sent(other)]).toEqual([]);
});

it('a request is sent with one other token where the first is refused, and no third', async () => {
  const server = await serve(() => ({ status: 401 }));
  await expect(fetchOf(server.url)(server.url, POST)).rejects.toMatchObject({
    code: 'credentials_refused',
    status: 401,
  });
  expect(sent(server)).toEqual(['Bearer first', 'Bearer token-1']);
});

it('more scopes are asked for twice at most', async () => {
  const server = await serve((authorization) =>
    authorization === 'Bearer token-2'
      ? { status: 202 }
      : { status: 403, headers: challenge('insufficient_scope') },
  );
  expect((await fetchOf(server.url)(server.url, POST)).status).toBe(202);
  const never = await serve(() => ({ status: 403, headers: challenge('insufficient_scope') }));
  await expect(fetchOf(never.url)(never.url, POST)).rejects.toMatchObject({
    code: 'credentials_refused',
    status: 403,
  });
  expect(sent(never)).toEqual(['Bearer first', 'Bearer token-1', 'Bearer token-2']);
});

it.each([
  [403, 'access_denied'],
  [200, 'insufficient_scope'],
])('an answer of %i that speaks of %s asks for no more scopes', async (status, error) => {
  const server = await serve(() => ({ status, headers: challenge(error) }));
  expect((await fetchOf(server.url)(server.url, POST)).status).toBe(status);
  expect(sent(server)).toEqual(['Bearer first']);
});

it('a token counts in place of a header of the configuration', async () => {
  const server = await serve(() => ({ status: 202 }));
  await fetchOf(server.url, [['Authorization', 'Basic written']])(server.url, POST);
  expect(sent(server)).toEqual(['Bearer first']);
});
