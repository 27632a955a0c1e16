import { expect, it, onTestFinished } from 'vitest';
import { type Egress, EgressFailure, type FetchLimits } from '../../../src/egress/egress.ts';
import { createEgress } from '../../../src/egress/index.ts';
import type { TokenSource } from '../../../src/upstreams/oauth/token-source.ts';
import { isUnsent } from '../../../src/upstreams/transports/unsent.ts';
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
  const tokens: Omit<TokenSource, 'ready'> = { current: async () => 'first', renewed: next, steppedUp: next };
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

const URL_OF_NONE = 'https://remote.example/mcp';

/** A door that answers so, without a network. */
function through(answer: () => Promise<Response>, current: TokenSource['current'] = async () => 'first') {
  const limits: (Partial<FetchLimits> | undefined)[] = [];
  const egress = {
    fetch: (_target: unknown, _init: unknown, given?: Partial<FetchLimits>) => {
      limits.push(given);
      return answer();
    },
  } as unknown as Egress;
  const none = async () => '';
  const tokens: Omit<TokenSource, 'ready'> = { current, renewed: none, steppedUp: none };
  return { send: upstreamFetch({ egress, name: 'remote', url: URL_OF_NONE, headers: [], tokens }), limits };
}

const failure = (sent: 'none' | 'all', kind: 'cancelled' | 'reset' = 'reset') =>
  through(() => Promise.reject(new EgressFailure(kind, sent, 'it failed'))).send(URL_OF_NONE, POST);

it('only what never left is called unsent: it is sent once more', async () => {
  expect(isUnsent(await failure('none').catch((error) => error))).toBe(true);
  expect(isUnsent(await failure('all').catch((error) => error))).toBe(false);
  expect(isUnsent(await failure('none', 'cancelled').catch((error) => error))).toBe(false);
});

it('a token that could not be got leaves the request unsent, and a call that ended is not called so', async () => {
  const broken = async () => {
    throw new Error('disk');
  };
  const { send, limits } = through(async () => new Response(null, { status: 202 }), broken);
  expect(isUnsent(await send(URL_OF_NONE, POST).catch((error) => error))).toBe(true);
  const ended = { ...POST, signal: AbortSignal.abort() };
  expect(isUnsent(await send(URL_OF_NONE, ended).catch((error) => error))).toBe(false);
  expect(limits).toEqual([]);
});

it('an open stream may be silent for as long as it likes', async () => {
  const { send, limits } = through(async () => new Response(null, { status: 405 }));
  await send(URL_OF_NONE, { method: 'GET' });
  expect(limits).toMatchObject([{ idleTimeoutMs: 0 }]);
});

it('the body of a redirect that is not followed is left', async () => {
  let left = false;
  const body = new ReadableStream({
    cancel() {
      left = true;
    },
  });
  const headers = { location: 'https://elsewhere.example/mcp' };
  const { send } = through(async () => new Response(body, { status: 307, headers }));
  await expect(send(URL_OF_NONE, POST)).rejects.toMatchObject({ code: 'upstream_failed', status: 307 });
  expect(left).toBe(true);
});
