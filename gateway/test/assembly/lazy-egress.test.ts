import type net from 'node:net';
import { createSecureContext } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LazyEgress, lazyEgress } from '../../src/assembly/lazy-egress.ts';
import type { EgressOptions } from '../../src/egress/egress.ts';
import { startConnectProxy } from '../egress/connect-proxy.ts';
import { respond, startServer } from '../egress/recording-server.ts';

const LIMITS = { timeoutMs: 5_000, maxBytes: 1_000, maxRedirects: 0 };
const FETCHED = { headersTimeoutMs: 5_000, idleTimeoutMs: 5_000, maxRedirects: 0, maxBytes: 1_000 };
/** How long what began before may take. */
const RETIRED_MS = 10 * 60_000;
const { signal } = new AbortController();

/** A service with an answer at `/`, one at `/held` that waits for `answer`, and a long one at `/long`. */
async function service() {
  const held: net.Socket[] = [];
  let asked = Promise.withResolvers<void>();
  const server = await startServer({
    '/': respond(200, 'ok'),
    '/long': respond(200, 'x'.repeat(2_000)),
    '/held': (socket) => {
      held.push(socket);
      asked.resolve();
    },
  });
  onTestFinished(() => server.close());
  return {
    server,
    async asked() {
      await asked.promise;
      asked = Promise.withResolvers();
    },
    answer: () => {
      for (const socket of held) socket.write(respond(200, 'late'));
    },
  };
}

function door(options: EgressOptions): LazyEgress {
  const egress = lazyEgress(options);
  onTestFinished(() => egress.close());
  return egress;
}

const statusOf = async (egress: LazyEgress, url: string) =>
  (await egress.request({ method: 'GET', url, headers: [] }, LIMITS, signal)).status;
/** What becomes of a request that may wait for long. */
const outcomeOf = (egress: LazyEgress, url: string) =>
  statusOf(egress, url).catch((error: { kind?: string }) => error.kind);

describe('a door that other settings replace', () => {
  it('stays where nothing is another, and its connections with it', async () => {
    const { server } = await service();
    const egress = door({ allow: [server.authority] });
    expect(await statusOf(egress, `${server.origin}/`)).toBe(200);
    egress.change({ allow: [server.authority] });
    expect(await statusOf(egress, `${server.origin}/`)).toBe(200);
    expect(server.connections).toBe(1);
  });

  it('goes by the list as of now, there and back', async () => {
    const { server } = await service();
    const egress = door({ allow: [] });
    expect(await outcomeOf(egress, server.origin)).toBe('egress_blocked');
    egress.change({ allow: [server.authority] });
    expect(await outcomeOf(egress, server.origin)).toBe(200);
    egress.change({ allow: [] });
    expect(await outcomeOf(egress, server.origin)).toBe('egress_blocked');
  });

  it('goes by the proxy as of now, there and back', async () => {
    const { server } = await service();
    const far = await startConnectProxy({ leadsTo: server.authority });
    onTestFinished(() => far.close());
    const resolve = () => Promise.reject(new Error('no such name'));
    const proxy = { url: `${far.origin}/`, resolve: 'proxy' } as const;
    const egress = door({ allow: [], proxy, resolve });
    expect(await outcomeOf(egress, 'http://service.test/')).toBe(200);
    egress.change({ allow: [] });
    expect(await outcomeOf(egress, 'http://service.test/')).toBe('dns');
    egress.change({ allow: [], proxy });
    expect(await outcomeOf(egress, 'http://service.test/')).toBe(200);
  });

  it('ends what is under way as it began, and nothing else by the list before', async () => {
    const { server, asked, answer } = await service();
    const egress = door({ allow: [server.authority] });
    const early = outcomeOf(egress, `${server.origin}/held`);
    await asked();
    egress.change({ allow: [] });
    expect(await outcomeOf(egress, server.origin)).toBe('egress_blocked');
    answer();
    expect(await early).toBe(200);
  });

  it('that was still being opened is replaced as well', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const { server } = await service();
    const egress = door({ allow: [] });
    const early = outcomeOf(egress, server.origin);
    egress.change({ allow: [server.authority] });
    await early;
    timers.mock.calls.find(([, ms]) => ms === RETIRED_MS)?.[0]();
    expect(await outcomeOf(egress, server.origin)).toBe(200);
  });

  it('cuts what is under way for more than ten minutes, and holds no process for that', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const { server, asked } = await service();
    const egress = door({ allow: [server.authority] });
    const early = outcomeOf(egress, `${server.origin}/held`);
    await asked();
    egress.change({ allow: [] });
    const at = timers.mock.calls.findIndex(([, ms]) => ms === RETIRED_MS);
    const timer: unknown = timers.mock.results[at]?.value;
    expect((timer as NodeJS.Timeout).hasRef()).toBe(false);
    timers.mock.calls[at]?.[0]();
    expect(await early).not.toBe('timeout');
  });
});

describe('a door that closes', () => {
  it('is one, however many requests opened it', async () => {
    const { server, asked } = await service();
    const egress = door({ allow: [server.authority] });
    const first = outcomeOf(egress, `${server.origin}/held`);
    const second = outcomeOf(egress, `${server.origin}/held`);
    await asked();
    await expect.poll(() => server.requests.length).toBe(2);
    await egress.close();
    expect(await Promise.all([first, second])).not.toContain('timeout');
  });

  it('cuts what began before another list, too', async () => {
    const { server, asked } = await service();
    const egress = door({ allow: [server.authority] });
    const early = outcomeOf(egress, `${server.origin}/held`);
    await asked();
    egress.change({ allow: [] });
    await egress.close();
    expect(await early).not.toBe('timeout');
  });
});

it('hands on limits and identities, with the first request and the next', async () => {
  const { server } = await service();
  const egress = door({ allow: [server.authority] });
  const tls = { id: 'mine', context: createSecureContext() };
  const long = async () => (await egress.fetch(`${server.origin}/long`, undefined, FETCHED)).text();
  const asSomebody = () => egress.fetch(`${server.origin}/`, undefined, FETCHED, { tls });
  await expect(asSomebody()).rejects.toMatchObject({ kind: 'request_invalid' });
  await expect(asSomebody()).rejects.toMatchObject({ kind: 'request_invalid' });
  await expect(long()).rejects.toThrow();
  const other = door({ allow: [server.authority] });
  await expect(
    other.fetch(`${server.origin}/long`, undefined, FETCHED).then((answer) => answer.text()),
  ).rejects.toThrow();
});
