import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { createCallsInFlight, type OpenCall } from '../../../src/upstreams/session/calls-in-flight.ts';
import { createRequests, type RequestTerms } from '../../../src/upstreams/session/requests.ts';
import { SessionError } from '../../../src/upstreams/session/session-error.ts';
import { UnsentError } from '../../../src/upstreams/transports/unsent.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: JsonObject;
}
interface Sent {
  readonly message: Asked;
  readonly options: TransportSendOptions | undefined;
  /** Of a question that comes on its stream. */
  readonly owner: OpenCall | undefined;
}

const ENVELOPE = { version: '2026-07-28' };

/** Requests to a server that answers when it is told to. */
function asking({
  streams = false,
  modern = false,
  failing,
}: {
  streams?: boolean;
  modern?: boolean;
  failing?: Error;
} = {}) {
  const calls = createCallsInFlight(streams);
  const sent: Sent[] = [];
  const transport: Transport = {
    ...(streams ? { hasPerRequestStream: true } : {}),
    start: async () => undefined,
    close: async () => undefined,
    send: async (message, options) => {
      sent.push({ message: message as unknown as Asked, options, owner: calls.owner() });
      if (failing !== undefined) throw failing;
    },
  };
  const late: JsonObject[] = [];
  const requests = createRequests(
    transport,
    calls,
    () => (modern ? ENVELOPE : undefined),
    (result) => late.push(result),
  );
  const send = (terms: Partial<RequestTerms> = {}, params: JsonObject = {}) => {
    const answer = requests.send('tools/call', params, { deadline: Date.now() + 1000, ...terms });
    answer.catch(() => undefined);
    return answer;
  };
  const say = (message: object) => requests.take({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  const progress = (progressToken: unknown, at: number) =>
    say({ method: 'notifications/progress', params: { progressToken, progress: at } });
  return {
    requests,
    calls,
    sent,
    late,
    send,
    say,
    progress,
    idOf: (at: number) => sent[at]!.message.id,
  };
}

const callOf = (principal: string): OpenCall => ({
  principal,
  channel: {},
  signal: new AbortController().signal,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a request', () => {
  it('of a call that has ended is not sent', async () => {
    const { send, sent } = asking();
    await expect(send({ signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'unsent' });
    expect(sent).toEqual([]);
  });

  it('goes with its headers, and with a token for progress beside the `_meta` that it has', () => {
    const { send, sent } = asking();
    void send({ headers: { 'Mcp-Name': 'x' } }, { name: 'x' });
    expect(sent[0]).toMatchObject({
      message: { params: { name: 'x' } },
      options: { headers: { 'Mcp-Name': 'x' } },
    });
    expect(sent[0]!.message.params).not.toHaveProperty('_meta');
    void send({ onProgress: () => undefined }, { _meta: { traceparent: 't' } });
    const { id, params } = sent[1]!.message;
    expect(params).toEqual({ _meta: { traceparent: 't', progressToken: id } });
  });

  it('that was not written says so; whatever else goes wrong is handed on', async () => {
    await expect(asking({ failing: new UnsentError('no way') }).send()).rejects.toMatchObject({
      kind: 'unsent',
    });
    const failing = new Error('who knows');
    await expect(asking({ failing }).send()).rejects.toBe(failing);
  });

  it('ends with its answer, once', async () => {
    const { requests, send, say, idOf } = asking();
    const [first, second, third] = [send(), send(), send()];
    say({ id: idOf(0), result: { done: true } });
    say({ id: idOf(1), error: { code: -32602, message: 'no' } });
    say({ id: idOf(2), result: 'text' });
    await expect(first).resolves.toEqual({ done: true });
    await expect(second).rejects.toMatchObject({ code: -32602 });
    await expect(third).rejects.toMatchObject({ kind: 'malformed' });
    expect([requests.answered, requests.open]).toEqual([3, 0]);
    expect(say({ id: idOf(0), result: {} })).toBe(true);
    expect(requests.answered).toBe(3);
  });

  it('may be answered under its id as text, as the SDKs take it, and under no other', async () => {
    const { requests, send, say, late, idOf } = asking();
    const [first, second] = [send(), send()];
    expect(say({ id: `${idOf(0)}`, result: { done: true } })).toBe(true);
    await expect(first).resolves.toEqual({ done: true });
    for (const id of [null, '', ' ', 'x', `${idOf(1)}.0`, `0x${idOf(1).toString(16)}`, '7'])
      expect([id, say({ id, result: {} })]).toEqual([id, false]);
    expect(requests.open).toBe(1);
    expect(say({ id: `${idOf(1)}`, error: { code: -32602, message: 'no' } })).toBe(true);
    await expect(second).rejects.toMatchObject({ code: -32602 });
    expect(say({ id: `${idOf(1)}`, result: {} })).toBe(true);
    expect(late).toHaveLength(1);
  });

  it('is lost with its stream, and with the connection', async () => {
    const { requests, send, sent } = asking({ streams: true });
    const [first, second] = [send(), send()];
    sent[0]!.options!.onRequestStreamEnd!();
    await expect(first).rejects.toMatchObject({ kind: 'lost' });
    requests.failAll(() => new SessionError('malformed', 'over'));
    await expect(second).rejects.toMatchObject({ kind: 'malformed' });
    expect(requests.open).toBe(0);
  });

  it('of a far deadline waits', async () => {
    const { requests, send } = asking();
    void send({ deadline: Date.now() + 2 ** 40 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.open).toBe(1);
  });

  it('is known to be of its call, also where its stream is its own', () => {
    const { calls, send, sent } = asking({ streams: true });
    const { signal } = new AbortController();
    const [ann, bob] = ['ann', 'bob'].map((principal) => ({ principal, channel: {}, signal }));
    void send({ call: ann! });
    void send({ call: bob! });
    void calls.within(ann!, () => send());
    expect(sent.map(({ owner }) => owner)).toEqual([ann, bob, undefined]);
    expect(calls.owner()).toBeUndefined();
  });
});

describe('a request that nobody waits for any more', () => {
  it.each([
    [{}, undefined],
    [{ streams: true }, undefined],
    [{ modern: true }, ENVELOPE],
  ])('is cancelled by a notification: %j', async (how, _meta) => {
    const { send, sent, idOf } = asking(how);
    const answer = send();
    await vi.advanceTimersByTimeAsync(1000);
    await expect(answer).rejects.toMatchObject({ kind: 'deadline' });
    const { message } = sent[1]!;
    expect(message).toMatchObject({ method: 'notifications/cancelled', params: { requestId: idOf(0) } });
    expect(message.params['_meta']).toEqual(_meta);
    expect(sent).toHaveLength(2);
  });

  it('is cancelled by leaving its stream since 2026-07-28', async () => {
    const { send, sent } = asking({ streams: true, modern: true });
    const caller = new AbortController();
    const answer = send({ signal: caller.signal });
    expect(sent[0]!.options!.requestSignal!.aborted).toBe(false);
    caller.abort();
    await expect(answer).rejects.toMatchObject({ kind: 'cancelled' });
    expect(sent[0]!.options!.requestSignal!.aborted).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('may be answered late, which is told, and belongs to nobody else', async () => {
    const { send, say, progress, late, idOf } = asking();
    void send({ onProgress: () => undefined });
    await vi.advanceTimersByTimeAsync(1000);
    expect(say({ id: idOf(0), result: { task: 1 } })).toBe(true);
    expect(say({ id: idOf(0), error: { code: 1, message: 'x' } })).toBe(true);
    expect(progress(idOf(0), 1)).toBe(true);
    expect(late).toEqual([{ task: 1 }]);
  });

  it.each([{ result: {} }, { error: { code: 1, message: 'x' } }])(
    'leaves in doubt whose a question is until its answer: %j',
    async (answer) => {
      const { send, say, calls, idOf } = asking();
      void send({ call: callOf('bob') });
      await vi.advanceTimersByTimeAsync(1000);
      void send({ call: callOf('ann') });
      expect(calls.owner()).toBeUndefined();
      say({ id: idOf(0), ...answer });
      expect(calls.owner()?.principal).toBe('ann');
    },
  );
});

describe('progress', () => {
  it('is told until the answer; after it where that was asked for, and no longer than that', () => {
    const { send, say, progress, idOf } = asking();
    const told: unknown[] = [];
    const onProgress = ({ progress: at }: JsonObject) => void told.push(at);
    let stop: (() => void) | undefined;
    void send({ onProgress });
    void send({
      onProgress,
      onAnswered: (given) => {
        stop = given;
      },
    });
    for (const at of [0, 1]) {
      progress(idOf(at), at);
      say({ id: idOf(at), result: {} });
      progress(idOf(at), at + 10);
    }
    expect(told).toEqual([0, 1, 11]);
    stop!();
    progress(idOf(1), 12);
    expect(told).toEqual([0, 1, 11]);
  });

  it('and answers of the SDK’s own requests are left to it', () => {
    const { say, progress } = asking();
    expect(progress(3, 1)).toBe(false);
    expect(say({ id: 3, result: {} })).toBe(false);
    expect(say({ id: 'x', result: {} })).toBe(false);
  });
});
