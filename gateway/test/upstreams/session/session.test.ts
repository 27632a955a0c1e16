import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/operations/index.ts';
import { createOpenedPages } from '../../../src/upstreams/opened-pages.ts';
import type { EraMemory } from '../../../src/upstreams/session/connect-client.ts';
import { openSession, type Session } from '../../../src/upstreams/session/session.ts';
import type { OpenedTransport, TransportFault } from '../../../src/upstreams/transports/transport.ts';
import { UnsentError } from '../../../src/upstreams/transports/unsent.ts';
import type { UpstreamDefinition } from '../../../src/upstreams/upstreams.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: JsonObject;
}
type Sent = Message & { readonly options?: TransportSendOptions | undefined };
/** What the server does with a message; `undefined`: what a good one does with the handshake. */
type Script = (message: Message, server: Server) => unknown;

const TASKS = 'io.modelcontextprotocol/tasks';

/** A server in this process, which does as its script says. */
class Server {
  readonly sent: Sent[] = [];
  readonly did: string[] = [];
  readonly opened: OpenedTransport;
  fault: TransportFault | undefined;
  readonly #transport: Transport;

  constructor(
    script: Script,
    capabilities: JsonObject,
    more: Partial<OpenedTransport> = {},
    transport: Partial<Transport> = {},
  ) {
    this.#transport = {
      start: async () => undefined,
      close: async () => {
        this.did.push('closed');
        this.leave();
      },
      send: async (message, options) => {
        const said = message as unknown as Message;
        this.sent.push({ ...said, options });
        if ((await script(said, this)) === undefined) this.#handshake(said, capabilities);
      },
      ...transport,
    };
    this.opened = {
      transport: this.#transport,
      fault: () => this.fault,
      kill: async () => void this.did.push('killed'),
      ...more,
    };
  }

  say(message: object): void {
    this.#transport.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  }

  answer({ id }: Message, result: JsonObject = {}): true {
    this.say({ id, result });
    return true;
  }

  leave(): true {
    const { onclose } = this.#transport;
    delete this.#transport.onclose;
    onclose?.();
    return true;
  }

  methods(): (string | undefined)[] {
    return this.sent.map(({ method }) => method);
  }

  #handshake(message: Message, capabilities: JsonObject): void {
    const { id, method } = message;
    const serverInfo = { name: 's', version: '1' };
    if (method === 'initialize')
      this.answer(message, { protocolVersion: '2025-11-25', capabilities, serverInfo });
    if (method === 'server/discover')
      this.say({
        id,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities,
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        },
      });
  }
}

interface Given {
  readonly era?: UpstreamDefinition['era'];
  readonly kind?: 'stdio' | 'http';
  readonly capabilities?: JsonObject;
  readonly hangMs?: number;
  readonly memory?: EraMemory;
  readonly signal?: AbortSignal;
  readonly opened?: Partial<OpenedTransport>;
  readonly transport?: Partial<Transport>;
  /** Known once the handshake is over. */
  readonly sessionId?: string;
}

/** Opens a session; each opening of the transport is a server of its own. */
function opening(script: Script, given: Given = {}) {
  const { era = 'legacy', kind = 'stdio', capabilities = {}, hangMs = 60_000, memory = {} } = given;
  const servers: Server[] = [];
  const ends: (TransportFault | undefined)[] = [];
  const session = openSession(
    {
      definition: {
        name: 'up',
        transport: { kind },
        era,
        startTimeoutMs: 5_000,
        hangMs,
      } as UpstreamDefinition,
      principalKey: '',
      memory,
      openTransport: async () => {
        const server = new Server(script, capabilities, given.opened, given.transport);
        servers.push(server);
        return server.opened;
      },
      onChange: () => undefined,
      pages: createOpenedPages(),
      onUnasked: () => undefined,
      onEnd: (fault) => void ends.push(fault),
      onOpened: () => undefined,
    },
    given.signal ?? new AbortController().signal,
  );
  session.catch(() => undefined);
  return { session, servers, ends };
}

async function opened(script: Script, given: Given = {}) {
  const { session, servers, ends } = opening(script, given);
  const running = await session;
  const server = servers[0]!;
  if (given.sessionId !== undefined) server.opened.transport.sessionId = given.sessionId;
  return { session: running, server, ends };
}

const ask = (session: Session, method = 'tools/call', more = {}) => {
  const answer = session.request(method, {}, { deadline: Date.now() + 60_000, ...more });
  answer.catch(() => undefined);
  return answer;
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => void vi.useRealTimers());

describe('a server that leaves at the probe of the newer era', () => {
  const leavesAtProbe: Script = ({ method }, server) =>
    method === 'server/discover' ? server.leave() : undefined;

  test('is started again for the older one, which is remembered', async () => {
    const memory: EraMemory = {};
    const { session, servers } = opening(leavesAtProbe, { era: 'auto', memory });
    expect((await session).facts.era).toBe('legacy');
    expect(servers.map((server) => server.methods()[0])).toEqual(['server/discover', 'initialize']);
    expect(memory).toEqual({ legacy: true });
  });

  test.each<readonly [string, Given]>([
    ['over HTTP, where nothing was started', { era: 'auto', kind: 'http' }],
    ['where only the newer is wanted', { era: 'modern' }],
  ])('is not started again %s', async (_where, given) => {
    const { session, servers } = opening(leavesAtProbe, given);
    await expect(session).rejects.toThrow();
    expect(servers).toHaveLength(1);
  });

  test('is not started again for somebody who went away', async () => {
    const gone = new AbortController();
    const kill = async () => {
      await turn();
      gone.abort();
    };
    const { session, servers } = opening(leavesAtProbe, {
      era: 'auto',
      signal: gone.signal,
      opened: { kill },
    });
    await expect(session).rejects.toThrow();
    expect(servers).toHaveLength(1);
  });

  test('and at the older handshake is asked for both anew the next time, also where it was remembered', async () => {
    for (const [memory, starts] of [
      [{}, 2],
      [{ legacy: true }, 1],
    ] as const) {
      const { session, servers } = opening((_message, server) => server.leave(), { era: 'auto', memory });
      await expect(session).rejects.toThrow();
      expect(servers).toHaveLength(starts);
      expect(memory).toEqual({});
    }
  });
});

describe('a handshake that fails', () => {
  test('leaves no connection behind, and is no end of a session', async () => {
    const { session, servers, ends } = opening(({ method }, server) =>
      method === 'notifications/initialized' ? server.leave() : undefined,
    );
    await expect(session).rejects.toThrow('closed during the handshake');
    expect(servers[0]!.did).toContain('killed');
    expect(ends).toEqual([]);
  });

  test('since the server refuses is over when the server is gone', async () => {
    const killed = Promise.withResolvers<void>();
    const kill = vi.fn(() => killed.promise);
    const refusing: Script = ({ id, method }, server) => {
      if (method !== 'initialize') return undefined;
      server.say({ id, error: { code: -32603, message: 'not today' } });
      return true;
    };
    const { session } = opening(refusing, { opened: { kill } });
    let failed = false;
    const failing = session.catch(({ message }) => {
      failed = true;
      return message;
    });
    await expect.poll(() => kill.mock.calls.length).toBeGreaterThan(0);
    await turn();
    expect(failed).toBe(false);
    killed.resolve();
    expect(await failing).toContain('not today');
  });

  test('since nobody waits any more says so, not what then befell the server', async () => {
    const gone = new AbortController();
    const reason = new Error('no longer wanted');
    const script: Script = (_message, server) => {
      server.fault = { kind: 'exit', message: 'It was killed.' };
      gone.abort(reason);
      return true;
    };
    const { session, servers } = opening(script, { signal: gone.signal });
    await expect(session).rejects.toBe(reason);
    await expect.poll(() => servers[0]!.did).toContain('closed');
  });
});

describe('an end', () => {
  test('is over when the process is gone', async () => {
    const killed = Promise.withResolvers<void>();
    const { session, ends } = await opened(() => undefined, { opened: { kill: () => killed.promise } });
    let isGone = false;
    void session.gone.then(() => {
      isGone = true;
    });
    const ended = session.end();
    await turn();
    expect([isGone, ends]).toEqual([false, [undefined]]);
    killed.resolve();
    await ended;
    expect(isGone).toBe(true);
  });

  test('leaves no timer behind', async () => {
    const capabilities = { resources: { subscribe: true } };
    const refusing: Script = ({ id, method }, server) => {
      if (method !== 'resources/subscribe') return undefined;
      server.say({ id, error: { code: -1, message: 'no' } });
      return true;
    };
    const { session, server } = await opened(refusing, { capabilities });
    vi.useFakeTimers();
    session.follow(new Set(['a:b']));
    void ask(session);
    await vi.advanceTimersByTimeAsync(10);
    expect(server.methods()).toContain('resources/subscribe');
    await session.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not waited for without end', async () => {
    const { session } = await opened(() => undefined, {
      opened: { kill: () => new Promise(() => undefined) },
    });
    vi.useFakeTimers();
    const ended = session.end();
    await vi.advanceTimersByTimeAsync(2_000);
    await ended;
  });

  test('by force kills at once', async () => {
    const did: string[] = [];
    const { session, server, ends } = await opened(() => undefined, {
      opened: { killNow: () => void did.push('killed') },
    });
    server.fault = { kind: 'exit', message: 'It broke.' };
    server.leave();
    expect([did, ends]).toEqual([['killed'], [server.fault]]);
    await session.gone;
  });

  test('leaves nothing that a request could be sent to', async () => {
    const { session, server } = await opened(() => undefined);
    await session.end();
    await expect(ask(session)).rejects.toMatchObject({ kind: 'unsent' });
    expect(server.methods()).not.toContain('tools/call');
  });
});

describe('the requests of a session that its HTTP server has forgotten', () => {
  const status = (code: number) => Object.assign(new Error('refused'), { status: code, code });
  const forgetting =
    (open: Array<(error: Error) => void>): Script =>
    ({ method }) =>
      method === 'tools/call' ? new Promise((_resolve, reject) => open.push(reject)) : undefined;

  test('are told so each, those that hear of it a moment later too', async () => {
    const open: Array<(error: Error) => void> = [];
    const given: Given = { kind: 'http', sessionId: 's1' };
    const { session, ends } = await opened(forgetting(open), given);
    const answers = [ask(session), ask(session)];
    open[0]!(status(404));
    await expect(answers[0]).rejects.toMatchObject({ kind: 'session_lost' });
    expect(ends).toMatchObject([{ kind: 'session_lost' }]);
    open[1]!(status(404));
    await expect(answers[1]).rejects.toMatchObject({ kind: 'session_lost' });
  });

  test('are refused where the newer era knows no sessions', async () => {
    const open: Array<(error: Error) => void> = [];
    const given: Given = { kind: 'http', era: 'modern', sessionId: 's1' };
    const { session, ends } = await opened(forgetting(open), given);
    const answer = ask(session);
    open[0]!(status(404));
    await expect(answer).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(ends).toEqual([]);
  });
});

describe('whether the server lives', () => {
  const HANG = { hangMs: 1_000 };

  test.each([
    ['legacy', 'ping'],
    ['modern', 'server/discover'],
  ] as const)('is asked of a quiet %s one by %s, and an error is an answer', async (era, method) => {
    const { session, server, ends } = await opened(() => undefined, { era, ...HANG });
    const before = server.sent.length;
    vi.useFakeTimers();
    void ask(session);
    const asked = () => server.sent.slice(before).filter((message) => message.method === method);
    await vi.advanceTimersByTimeAsync(600);
    const [first] = asked();
    server.say({ id: first!.id, error: { code: -32601, message: 'Method not found' } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked().length).toBeGreaterThan(1);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ends).toHaveLength(era === 'legacy' ? 1 : 0);
  });

  test('is told by whatever it says meanwhile', async () => {
    const { session, server, ends } = await opened(() => undefined, HANG);
    vi.useFakeTimers();
    void ask(session);
    for (let at = 0; at < 10; at += 1) {
      await vi.advanceTimersByTimeAsync(400);
      server.say({ method: 'notifications/message', params: { level: 'info', data: 'at work' } });
    }
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ends).toHaveLength(1);
  });

  test('is asked at once where a stream breaks off', async () => {
    const { session, server } = await opened(({ method }) => method === 'tools/call' || undefined, {
      kind: 'http',
      transport: { hasPerRequestStream: true },
    });
    const answer = ask(session);
    await turn();
    server.sent.at(-1)!.options?.onRequestStreamEnd?.();
    await expect(answer).rejects.toMatchObject({ kind: 'lost' });
    expect(server.methods().at(-1)).toBe('ping');
  });

  test('is no question to a process that takes nothing: it is waited for to be gone', async () => {
    const { session, server } = await opened(async ({ method }) => {
      if (method === 'tools/call') throw new UnsentError('its input is closed');
    });
    const answer = ask(session);
    await turn();
    expect(server.methods()).not.toContain('ping');
    server.leave();
    await expect(answer).rejects.toMatchObject({ kind: 'unsent' });
  });

  test('is known before a request over HTTP that was not sent is told', async () => {
    const { session, server } = await opened(
      async ({ method }) => {
        if (method === 'tools/call') throw new UnsentError('no way');
      },
      { kind: 'http' },
    );
    let told = false;
    const answer = ask(session).catch(({ kind }) => {
      told = true;
      return kind;
    });
    await expect.poll(() => server.methods().at(-1)).toBe('ping');
    await turn();
    expect(told).toBe(false);
    server.answer(server.sent.at(-1)!);
    expect(await answer).toBe('unsent');
  });
});

describe('what is said for a caller', () => {
  test.each([
    ['legacy', { logging: {} }, [{ level: 'debug' }]],
    ['legacy', {}, []],
    ['modern', { logging: {} }, []],
  ] as const)(
    '%s, %j: all log messages are wanted where they are offered, once',
    async (era, capabilities, levels) => {
      const { server } = await opened(() => undefined, { era, capabilities });
      await turn();
      const set = server.sent.filter(({ method }) => method === 'logging/setLevel');
      expect(set.map(({ params }) => params)).toEqual(levels);
    },
  );

  test.each([
    [{ extensions: { [TASKS]: {} } }, 'tools/call', true],
    [{ extensions: { [TASKS]: {} } }, 'prompts/get', false],
    [{}, 'tools/call', false],
  ])('%j: %s says that it may become a task: %s', async (capabilities, method, expected) => {
    const { session, server } = await opened(() => undefined, { era: 'modern', capabilities });
    void ask(session, method);
    const meta = server.sent.at(-1)!.params!['_meta'] as JsonObject;
    const declared = meta['io.modelcontextprotocol/clientCapabilities'] as JsonObject;
    expect(JSON.stringify(declared).includes(TASKS)).toBe(expected);
  });

  test.each<['legacy' | 'modern', JsonObject, object]>([
    ['modern', { resultType: 'partial', content: [] }, { kind: 'malformed' }],
    ['modern', { resultType: null, content: [] }, { kind: 'malformed' }],
    ['modern', { content: [] }, { content: [] }],
    ['modern', { resultType: 'input_required', requestState: 's' }, { resultType: 'input_required' }],
    ['legacy', { resultType: 'partial', content: [] }, { resultType: 'partial' }],
  ])('%s: the result %j is %j', async (era, result, expected) => {
    const { session, server } = await opened(() => undefined, { era });
    const answer = ask(session, 'tools/call').catch((error: unknown) => error);
    server.answer(server.sent.findLast(({ method }) => method === 'tools/call')!, result);
    expect(await answer).toMatchObject(expected);
  });

  test('a task whose call was given up is cancelled, another late answer is nothing', async () => {
    const { session, server } = await opened(() => undefined, { era: 'modern' });
    for (const result of [{ content: [] }, { resultType: 'task', taskId: 't1', status: 'working' }]) {
      const gone = new AbortController();
      const answer = ask(session, 'tools/call', { signal: gone.signal });
      const call = server.sent.findLast(({ method }) => method === 'tools/call')!;
      gone.abort();
      await expect(answer).rejects.toMatchObject({ kind: 'cancelled' });
      server.answer(call, result);
    }
    const cancelled = server.sent.filter(({ method }) => method === 'tasks/cancel');
    expect(cancelled.map(({ params }) => params!['taskId'])).toEqual(['t1']);
  });
});
