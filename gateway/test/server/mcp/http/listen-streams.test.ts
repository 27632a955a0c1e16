import { expect, test } from 'vitest';
import type { Principal } from '../../../../src/operations/index.ts';
import { createMcpHttp } from '../../../../src/server/mcp/http/mcp-http.ts';
import { functionGateway } from '../../function-gateway.ts';
import { listenRequest } from '../mcp-endpoint.ts';

const user = (id: string): Principal => ({
  id,
  kind: 'user',
  organisation: 'o',
  maxAccess: 'read',
  roles: [],
});

/** Opens streams of `subscriptions/listen` without a network. */
function listening() {
  const mcp = createMcpHttp(functionGateway({}), { maxBodyBytes: 1024 * 1024 });
  const leaving = new AbortController();
  const listen = async (
    principal: Principal,
    notifications: object = { toolsListChanged: true },
    signal = leaving.signal,
  ) => {
    const request = new Request('http://localhost/mcp', listenRequest(notifications, signal));
    return mcp.fetch(request, principal);
  };
  return { mcp, listen, leave: () => leaving.abort() };
}

test('one user has a hundred streams for changes at most, and leaves room for others', async () => {
  const { mcp, listen, leave } = listening();
  const opened = await Promise.all(Array.from({ length: 100 }, () => listen(user('ann'))));
  expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
  await expect(listen(user('ann'))).rejects.toMatchObject({ code: 'overloaded' });
  expect((await listen(user('bob'))).status).toBe(200);
  leave();
  await mcp.close();
});

test('a stream that ended, or was never opened, counts no longer', async () => {
  const { mcp, listen, leave } = listening();
  for (let turn = 0; turn < 101; turn++) {
    await listen(user('ann'), { toolsListChanged: 'yes' });
    const nothing = (await listen(user('ann'), {})) as Response;
    await nothing.text();
  }
  const hundred = (signal?: AbortSignal) =>
    Promise.all(Array.from({ length: 100 }, () => listen(user('ann'), { toolsListChanged: true }, signal)));
  const going = new AbortController();
  await hundred(going.signal);
  going.abort();
  expect((await hundred()).every(({ status }) => status === 200)).toBe(true);
  leave();
  await mcp.close();
});

test('a stream that its client leaves unread ends, and keeps no more notices', async () => {
  const listeners = new Set<(change: 'tools') => void>();
  const core = functionGateway({});
  const onChange: typeof core.onChange = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const mcp = createMcpHttp(Object.assign(core, { onChange }), { maxBodyBytes: 1024 });
  const before = listeners.size;
  const { signal } = new AbortController();
  const request = new Request('http://localhost/mcp', listenRequest({ toolsListChanged: true }, signal));
  await mcp.fetch(request, user('ann'));
  expect(listeners.size).toBe(before + 1);
  for (let notices = 0; notices < 20_000; notices++) for (const tell of [...listeners]) tell('tools');
  await expect.poll(() => listeners.size).toBe(before);
  await mcp.close();
});
