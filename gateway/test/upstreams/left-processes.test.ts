import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createUpstreams } from '../../src/upstreams/index.ts';
import type { OpenedTransport } from '../../src/upstreams/transports/transport.ts';
import { definition, request, textOf } from './scripted.ts';

const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'in-memory', version: '1' },
};
const RESULT = { content: [{ type: 'text', text: 'fine' }] };

/** A server without a process: each start is noted, and says nothing where `silent`, which can be set later on. */
function world({ silent = false, restart = true, idleMs = 0 } = {}) {
  const events: string[] = [];
  const waits: unknown[] = [];
  const servers: Array<{ killed: number; leave(): void }> = [];
  const state = { gone: Promise.resolve(), silent };
  const opened = Promise.withResolvers<void>();
  const open = async (): Promise<OpenedTransport> => {
    const transport: Transport = {
      async start() {
        opened.resolve();
      },
      async close() {},
      async send(message: JSONRPCMessage) {
        if (state.silent || !('id' in message && 'method' in message)) return;
        const result = message.method === 'initialize' ? INITIALIZED : RESULT;
        queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id: message.id, result }));
      },
    };
    const server = { killed: 0, leave: () => transport.onclose?.() };
    servers.push(server);
    return {
      transport,
      kill: () => state.gone,
      killNow: () => {
        server.killed += 1;
      },
    };
  };
  const before = process.listeners('exit');
  const upstreams = createUpstreams({
    record(event) {
      events.push(event.type);
      if (event.type === 'upstream-failed') waits.push(event.retryInMs);
    },
    openTransport: open,
  });
  const [ours] = process.listeners('exit').filter((listener) => !before.includes(listener));
  onTestFinished(() => upstreams.close());
  upstreams.configure([definition({}, { era: 'legacy', restart, idleMs })]);
  const call = () => upstreams.call('scripted', 'echo', {}, request());
  return { upstreams, events, waits, servers, state, call, opened: opened.promise, exit: () => ours!(0) };
}

test('a server is started again when nothing is left of the one before, which may hold what it needs', async () => {
  const { upstreams, servers, state, call } = world();
  await call();
  const gone = Promise.withResolvers<void>();
  state.gone = gone.promise;
  servers[0]!.leave();
  const next = call();
  await expect.poll(() => upstreams.states()[0]?.status, { interval: 5 }).toBe('starting');
  await new Promise((resolve) => setImmediate(resolve));
  expect(servers).toHaveLength(1);
  gone.resolve();
  expect(textOf(await next)).toBe('fine');
  expect(servers).toHaveLength(2);
});

test('when our process ends, a server that is only being started is killed', async () => {
  const { servers, call, opened, exit } = world({ silent: true });
  call().catch(() => undefined);
  await opened;
  exit();
  expect(servers[0]!.killed).toBe(1);
});

test('one that is gone is not killed once more: another may have its process id', async () => {
  const { servers, call, exit } = world();
  await call();
  servers[0]!.leave();
  await call();
  expect(servers).toHaveLength(2);
  const before = servers[0]!.killed;
  exit();
  expect([servers[0]!.killed - before, servers[1]!.killed]).toEqual([0, 1]);
});

test('nor is one that did not start', async () => {
  const { servers, call, opened, exit } = world({ silent: true, restart: false });
  const failing = call();
  await opened;
  servers[0]!.leave();
  await expect(failing).rejects.toMatchObject({ code: 'upstream_unavailable' });
  const before = servers[0]!.killed;
  exit();
  expect(servers[0]!.killed).toBe(before);
});

test('one that is taken away while it starts has not failed, and is not started again', async () => {
  const { upstreams, events, servers, call, opened } = world({ silent: true });
  upstreams.onChange(() => undefined);
  const waiting = call();
  await opened;
  upstreams.configure([]);
  await expect(waiting).rejects.toMatchObject({ code: 'upstream_unavailable' });
  await upstreams.close();
  expect(events).toEqual([]);
  expect(servers).toHaveLength(1);
});

test('one that ends right after each handshake is started less and less often, until it has answered something', async () => {
  const { upstreams, waits, servers, call } = world();
  upstreams.onChange(() => undefined);
  const ends = async (count: number) => {
    await expect.poll(() => servers.length, { interval: 5, timeout: 5_000 }).toBe(count);
    await expect.poll(() => upstreams.states()[0]?.status, { interval: 5 }).toBe('running');
    servers.at(-1)!.leave();
  };
  await call();
  await ends(1);
  await ends(2);
  await ends(3);
  expect(waits).toEqual([100, 200, 400]);
  expect(textOf(await call())).toBe('fine');
  await ends(4);
  expect(waits).toEqual([100, 200, 400, 100]);
});

describe('how long a call waits for a server', () => {
  /** Nothing passes but the time that a test lets pass. */
  const frozen = () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
  };
  const soon = () => vi.advanceTimersByTimeAsync(0);
  /** The code that a call ended with, `waits` as long as it has not ended. */
  const endOf = (call: Promise<unknown>) => {
    const end = { code: 'waits' };
    call.then(
      () => {
        end.code = 'fine';
      },
      (error) => {
        end.code = error.code;
      },
    );
    return end;
  };

  test('that fails: 5 seconds, also where another call began to wait before it failed', async () => {
    frozen();
    const { servers, state, call } = world({ silent: true });
    const first = endOf(call());
    await soon();
    await vi.advanceTimersByTimeAsync(3_000);
    servers[0]!.leave();
    await soon();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(servers).toHaveLength(2);
    const second = endOf(call());
    await vi.advanceTimersByTimeAsync(3_990);
    expect([first.code, second.code]).toEqual(['waits', 'waits']);
    await vi.advanceTimersByTimeAsync(20);
    expect([first.code, second.code]).toEqual(['upstream_unavailable', 'waits']);
    await vi.advanceTimersByTimeAsync(980);
    expect(second.code).toBe('waits');
    await vi.advanceTimersByTimeAsync(20);
    expect(second.code).toBe('upstream_unavailable');
    state.silent = false;
  });

  test('that has failed before and was well since: until the deadline, as at its first start', async () => {
    frozen();
    const { upstreams, servers, state, waits, call } = world({ silent: true, idleMs: 1_000 });
    const failing = endOf(call());
    await soon();
    state.silent = false;
    servers[0]!.leave();
    await soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(failing.code).toBe('fine');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(upstreams.states()).toEqual([{ name: 'scripted', status: 'idle', restarts: 0 }]);
    state.silent = true;
    const patient = endOf(call());
    await vi.advanceTimersByTimeAsync(8_000);
    expect(patient.code).toBe('waits');
    servers.at(-1)!.leave();
    await soon();
    expect(waits).toEqual([100, 100]);
  });

  test('without `restart`: not at all once it has failed', async () => {
    frozen();
    const { servers, call } = world({ silent: true, restart: false });
    const failing = endOf(call());
    await soon();
    servers[0]!.leave();
    await soon();
    expect(failing.code).toBe('upstream_unavailable');
  });
});
