import { expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../src/operations/index.ts';
import { createFollowedResources, listenedResources } from '../../../src/server/mcp/followed-resources.ts';
import { listenRequest, mcpEndpoint } from './mcp-endpoint.ts';

function core() {
  const open: string[] = [];
  return {
    open,
    async follow(uri: string, principal = LOCAL_PRINCIPAL) {
      const one = `${principal.id} ${uri}`;
      open.push(one);
      return () => void open.splice(open.indexOf(one), 1);
    },
  };
}

test('an address is followed once for all, until the last follower ends', async () => {
  const gateway = core();
  const followed = createFollowedResources(gateway);
  const [first, second] = [followed.follow('a:', LOCAL_PRINCIPAL), followed.follow('a:', LOCAL_PRINCIPAL)];
  await expect.poll(() => gateway.open).toEqual(['local a:']);
  first();
  first();
  await expect.poll(() => gateway.open).toEqual(['local a:']);
  second();
  await expect.poll(() => gateway.open).toEqual([]);
});

test.each([
  [{ method: 'tools/call' }, []],
  [{ method: 'subscriptions/listen' }, []],
  [{ method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: 'a:' } } }, []],
  [
    {
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['a:', 1, 'a:', 'b:'] } },
    },
    ['a:', 'b:'],
  ],
])('the addresses that %j listens to are %j', (message, uris) => {
  expect(listenedResources(message)).toEqual(uris);
});

test('over HTTP a listening client follows until it goes away', async () => {
  await using endpoint = await mcpEndpoint({});
  const gateway = core();
  Object.assign(endpoint.gateway, { follow: gateway.follow });
  const leaving = new AbortController();
  const response = await fetch(
    endpoint.url,
    listenRequest({ resourceSubscriptions: ['a:'] }, leaving.signal),
  );
  expect(response.ok).toBe(true);
  await expect.poll(() => gateway.open).toEqual(['local a:']);
  leaving.abort();
  await response.text().catch(() => undefined);
  await expect.poll(() => gateway.open).toEqual([]);
});
