import { expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../../../src/operations/index.ts';
import { Subscriptions } from '../../../../src/server/mcp/stdio/subscriptions.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

function subscriptions() {
  const open: string[] = [];
  const one = new Subscriptions({
    server: { name: 'here', version: '1' },
    principal: LOCAL_PRINCIPAL,
    followed: {
      follow(uri) {
        open.push(uri);
        return () => void open.splice(open.indexOf(uri), 1);
      },
      close: () => undefined,
    },
  });
  return {
    one,
    open,
    listen: (id: number, ...resourceSubscriptions: string[]) =>
      one.received({
        jsonrpc: '2.0',
        method: 'subscriptions/listen',
        id,
        params: { notifications: { resourceSubscriptions } },
      }),
    cancel: (requestId: unknown) =>
      one.received({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: requestId as number },
      }),
    grant: (id: number) =>
      one.sent({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: { [SUBSCRIPTION]: id } },
      }),
  };
}

test('what one follows ends by its cancellation or with the connection', () => {
  const { one, open, listen, cancel } = subscriptions();
  listen(1, 'a:');
  listen(2, 'b:');
  expect(open).toEqual(['a:', 'b:']);
  cancel(1);
  cancel({});
  expect(open).toEqual(['b:']);
  one.close();
  expect(open).toEqual([]);
});

test('the same id once more takes the place of the first', () => {
  const { one, open, listen } = subscriptions();
  listen(1, 'a:', 'b:');
  listen(1, 'b:');
  expect(open).toEqual(['b:']);
  one.close();
  expect(open).toEqual([]);
});

test('those that were granted and not cancelled are told that they end, once', () => {
  const { one, listen, cancel, grant } = subscriptions();
  for (const id of [1, 2, 3]) listen(id);
  for (const id of [1, 2, 4]) grant(id);
  cancel(2);
  const [ending, ...others] = one.close();
  expect(others).toEqual([]);
  expect(ending?.[0]).toBe(1);
  expect(JSON.parse(ending![1])).toEqual({
    resultType: 'complete',
    _meta: {
      [SUBSCRIPTION]: 1,
      'io.modelcontextprotocol/serverInfo': { name: 'here', version: '1' },
    },
  });
  expect(one.close()).toEqual([]);
});
