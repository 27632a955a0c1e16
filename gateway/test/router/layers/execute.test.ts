import { describe, expect, it, vi } from 'vitest';
import { ToolcribError } from '../../../src/errors.ts';
import type { Executor } from '../../../src/executors/executor.ts';
import type { Call, CallChannel, Connection, Operation, Result } from '../../../src/operations/index.ts';
import {
  type ExecuteOptions,
  type Executors,
  executeCore,
  readyCheck,
} from '../../../src/router/layers/execute.ts';
import { startNango } from '../../doubles/nango.ts';
import { teamGateway } from '../../server/http/team-gateway.ts';
import { callOf } from '../taint-cases.ts';

const ANSWER: Result = { kind: 'completed', content: [] };
const RAW = { kind: 'value' } as const;
const connection = { name: 'desk' } as Connection;

function core(options: Partial<ExecuteOptions> = {}) {
  const execute = vi.fn<Executor['execute']>(async () => RAW);
  const limit = vi.fn((_call: Call, _connection: Connection, task: () => Promise<unknown>) => task());
  const normalize = vi.fn(async () => ANSWER);
  const call = executeCore({
    executors: { http: { execute } } as Partial<Executors> as Executors,
    limit: limit as ExecuteOptions['limit'],
    channelFor: ({ channel }) => channel,
    normalize,
    failed: (error) => error,
    ...options,
  });
  return { call, execute, limit, normalize };
}

describe('what carries a call out', () => {
  it('is the executor of its operation, within the limits of its connection', async () => {
    const { call, execute, limit, normalize } = core();
    const given = callOf('desk', 'write', { connection });
    expect(await call(given)).toBe(ANSWER);
    const { signal, deadline } = given;
    expect(execute).toHaveBeenCalledExactlyOnceWith(given, { connection, signal, deadline });
    expect(limit).toHaveBeenCalledExactlyOnceWith(given, connection, expect.any(Function));
    expect(normalize).toHaveBeenCalledExactlyOnceWith(RAW, given, connection);
  });

  it('is nothing where the limits refuse it', async () => {
    const { call, execute } = core({ limit: () => Promise.reject(new Error('full')) });
    await expect(call(callOf('desk', 'read', { connection }))).rejects.toThrow('full');
    expect(execute).not.toHaveBeenCalled();
  });

  it('takes no place of the connection for a dry run', async () => {
    const { call, execute, limit } = core();
    expect(await call(callOf('desk', 'write', { connection, dryRun: true }))).toBe(ANSWER);
    expect(limit).not.toHaveBeenCalled();
    expect(execute).toHaveBeenCalledOnce();
  });

  it('is nothing for a call that was never authorised', async () => {
    const { call, execute, limit } = core();
    await expect(call(callOf('desk', 'read'))).rejects.toMatchObject({ code: 'internal' });
    expect(limit).not.toHaveBeenCalled();
    expect(execute).not.toHaveBeenCalled();
  });

  it('hears the client through the channel that is for it alone', async () => {
    const channel: CallChannel = {};
    const { call, execute } = core({ channelFor: () => channel });
    const given = callOf('desk', 'read', { connection });
    await call(given);
    expect(execute.mock.calls[0]![0]).toEqual({ ...given, channel });
    expect(execute.mock.calls[0]![0].channel).toBe(channel);
  });

  it('notes how long it waited for its place, and how long its answer took to be read', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      vi.advanceTimersByTime(1000);
      const slow = { ms: 0 };
      const { call } = core({
        limit: (_call, _connection, task) => {
          vi.advanceTimersByTime(slow.ms);
          return task();
        },
        normalize: async () => {
          vi.advanceTimersByTime(slow.ms);
          return ANSWER;
        },
      });
      const note = vi.fn();
      const given = callOf('desk', 'read', { connection, facts: { steps: { note } as never } });
      await call(given);
      expect(note).not.toHaveBeenCalled();
      slow.ms = 1;
      await call(given);
      expect(note.mock.calls.map(([name]) => name)).toEqual(['limit', 'normalise']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('says beforehand what keeps it from that, once it is known where the call goes', async () => {
    const ready = vi.fn(async () => Promise.reject(new Error('not ready')));
    const check = readyCheck({ http: { ready } } as unknown as Executors);
    await check(callOf('desk', 'read'));
    expect(ready).not.toHaveBeenCalled();
    await expect(check(callOf('desk', 'read', { connection }))).rejects.toThrow('not ready');
    await readyCheck({ http: {} } as unknown as Executors)(callOf('desk', 'read', { connection }));
  });
});

/** An account whose authorisation has ended at Nango: the organisation's, or a user's own. */
async function lapsedAccount() {
  const nango = await startNango();
  process.env['EXECUTE_TEST_NANGO_KEY'] = nango.secretKey;
  const team = await teamGateway({
    sources: {
      zoho: {
        manifest: 'zoho-recruit',
        baseUrl: 'http://127.0.0.1:9',
        credentials: {
          nango: {
            integration: 'zoho-recruit',
            baseUrl: nango.url,
            secretKey: { env: 'EXECUTE_TEST_NANGO_KEY' },
          },
        },
      },
    },
  });
  const connect = async (caller: typeof team.admin, owner: string, user: string | null) => {
    const connection = `${owner}:zoho`;
    nango
      .add({
        id: connection,
        integration: 'zoho-recruit',
        credentials: { type: 'OAUTH2', access_token: 'zoho-token' },
      })
      .breakRefresh(424);
    const credentials = { nango: { integration: 'zoho-recruit', connection } };
    const [status, body] = await caller('POST', '/api/v1/connections', { source: 'zoho', user, credentials });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id as string;
  };
  return {
    ...team,
    connect,
    async [Symbol.asyncDispose]() {
      await team[Symbol.asyncDispose]();
      await nango.close();
    },
  };
}

const TOOL = '/api/v1/tools/zoho_recruit_list_candidates/call';
const PROXY = { provider: 'zoho-recruit', method: 'GET', path: '/Candidates' };

describe('the link by which an account is connected again', () => {
  const ann = { ...callOf('desk', 'read').principal, id: 'ann', kind: 'user' } as const;
  const lapsed = new ToolcribError('reconnect_required', 'It ended.', {
    details: { link: 'https://connect.test/?session_token=s', expiresAt: 'soon', provider: 'zoho' },
    status: 424,
  });
  const failed = async (account: Partial<Connection>, more: Partial<Call> = {}, error: Error = lapsed) => {
    const execute = async () => Promise.reject(error);
    const { call } = core({ executors: { http: { execute }, azure: { execute } } as unknown as Executors });
    const given = callOf('desk', 'read', {
      principal: ann,
      connection: { ...connection, ...account },
      ...more,
    });
    return call(given).catch((reason: unknown) => reason);
  };
  const azure = {
    ...callOf('desk', 'read').operation,
    invocation: { kind: 'azure' },
  } as unknown as Operation;

  it("is taken out for a user whose account it is not, and the account's record named", async () => {
    const hidden = { code: 'reconnect_required', message: 'It ended.', status: 424, cause: lapsed };
    const shared = (await failed({ accountOwner: 'organisation', account: 'c1' })) as ToolcribError;
    expect(shared).toMatchObject(hidden);
    expect(shared.details).toStrictEqual({ provider: 'zoho', connection: 'c1' });
    // whose it is, is not known
    const configured = (await failed({})) as ToolcribError;
    expect(configured).toMatchObject(hidden);
    expect(configured.details).toStrictEqual({ provider: 'zoho' });
  });

  it.each<[string, Partial<Connection>, Partial<Call>]>([
    ['the user whose own it is', { accountOwner: 'user' }, {}],
    [
      'the owner of the gateway',
      { accountOwner: 'organisation' },
      { principal: callOf('desk', 'read').principal },
    ],
    ['whoever calls Azure: it is for admins', { accountOwner: 'organisation' }, { operation: azure }],
  ])('stays for %s', async (_who, account, more) => {
    expect(await failed(account, more)).toBe(lapsed);
  });

  it('is all that is taken out: other failures stay as they are', async () => {
    for (const error of [new TypeError('bug'), new ToolcribError('upstream_failed', 'm')])
      expect(await failed({ accountOwner: 'organisation' }, {}, error)).toBe(error);
  });
});

describe('the page on which an account is connected again', () => {
  it("is not shown to a user whose account it is not: an admin opens it for the organisation's", async () => {
    await using team = await lapsedAccount();
    const connection = await team.connect(team.admin, team.ann.id, null);
    const bob = await team.user('Bob');
    const [status, called] = await bob.call('POST', TOOL, { arguments: {} });
    expect([status, called]).toMatchObject([409, { error: { code: 'reconnect_required' } }]);
    expect(called.error.details).toEqual({ connection });
    const [, forwarded] = await bob.call('POST', '/api/v1/ats/proxy', PROXY);
    expect(forwarded).toMatchObject({ error: { code: 'ATS_AUTH_FAILED' } });
    expect(JSON.stringify([called, forwarded])).not.toContain('session_token');
    expect((await bob.call('POST', `/api/v1/connections/${connection}/reconnect`))[0]).toBe(403);
    expect((await team.admin('POST', `/api/v1/connections/${connection}/reconnect`))[0]).toBe(201);
  });

  it('is shown to the user whose own account it is', async () => {
    await using team = await lapsedAccount();
    const bob = await team.user('Bob');
    await team.connect(bob.call, bob.id, bob.id);
    const [, called] = await bob.call('POST', TOOL, { arguments: {} });
    expect(called.error.details.link).toContain('session_token');
  });
});
