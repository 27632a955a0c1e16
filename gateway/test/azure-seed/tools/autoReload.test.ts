import { afterEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../connectors/support/manual-clock.ts';
import { type Bench, openBench } from '../../connectors/support/open-room.ts';
import { caller, jsonOf, type Tools, textsOf, toolsOf } from '../../connectors/support/own-call.ts';
import { armError, swagger } from '../../connectors/support/small-arm.ts';

const opened: Bench[] = [];

afterEach(async () => {
  for (const bench of opened.splice(0)) await bench.close();
});

/** A group with a mail connection; `announced` counts how often the catalog was exchanged, which clients are told of. */
async function start() {
  const state = { announced: 0 };
  let tools: Tools | undefined;
  const refresh = async () => {
    await tools?.compile();
    state.announced++;
  };
  // only what a tool waits for happens: nothing is compiled by the way
  const bench = await openBench({ refresh, clock: manualClock() });
  opened.push(bench);
  bench.arm.connections.set('mail', { name: 'mail', api: 'mail' });
  bench.arm.apis.set('mail', swagger('mail', 'ReadMail'));
  bench.arm.apis.set('slack', swagger('slack', 'PostMessage', 'ListChannels'));
  tools = toolsOf(bench);
  await tools.compile();
  return { ...bench, state, tools, call: caller(bench, tools) };
}

describe('put_connection (seed §10)', () => {
  it('registers the tools of the new API only, and has clients told before it answers (§15.3)', async () => {
    const { arm, call, state, tools } = await start();
    const mailOperation = tools.all.find(({ name }) => name === 'mail_read_mail');
    const answer = jsonOf(await call('put_connection', { apiName: 'slack' }));
    expect(answer.dynamicTools).toEqual({ message: '2 new tools registered for slack', registered: 2 });
    expect(state.announced).toBe(1);
    expect(tools.all.map(({ name }) => name).sort()).toEqual([
      'mail_read_mail',
      'slack_list_channels',
      'slack_post_message',
    ]);
    expect(tools.all.find(({ name }) => name === 'mail_read_mail')).toEqual(mailOperation);
    expect(arm.asked('EXPORT mail')).toBe(1);
    expect(arm.asked('EXPORT slack')).toBe(1);
    expect(arm.asked('PUT slack')).toBe(1);
  });

  it('prints the connection and the count as the seed does', async () => {
    const { call } = await start();
    const [text] = textsOf(await call('put_connection', { apiName: 'slack' }));
    expect(text).toBe(JSON.stringify(JSON.parse(text!), null, 2));
    expect(Object.keys(JSON.parse(text!)).slice(0, 2)).toEqual(['connection', 'dynamicTools']);
  });
});

describe('edge cases (seed §10.3)', () => {
  it('API tools already registered: nothing is registered', async () => {
    const { call, state } = await start();
    const result = await call('put_connection', { apiName: 'mail' });
    expect(jsonOf(result).dynamicTools).toBeUndefined();
    expect(result).toMatchObject({ structured: { registered: 0 } });
    expect(state.announced).toBeLessThanOrEqual(1);
  });

  it('schema fetch fails: the connection, without tools; refresh_tools adds them later', async () => {
    const { arm, call, tools } = await start();
    arm.apis.set('slack', armError(500, 'InternalServerError', 'Later.'));
    const answer = jsonOf(await call('put_connection', { apiName: 'slack' }));
    expect(answer.connection.name).toBe('slack');
    expect(answer.dynamicTools).toBeUndefined();
    expect(answer.warning).toContain('slack: schema fetch failed');
    arm.apis.set('slack', swagger('slack', 'PostMessage'));
    expect(textsOf(await call('refresh_tools'))[0]).toBe(
      'Refresh complete. Registered: 2, Skipped: 0, Errors: 0\n',
    );
    expect(tools.all.map(({ name }) => name)).toContain('slack_post_message');
  });

  it('connection is unauthenticated: its tools are registered with a mark, which goes with the sign-in', async () => {
    const { arm, call, room, tools } = await start();
    const answer = jsonOf(await call('put_connection', { apiName: 'slack' }));
    expect(answer.consent.link).toMatch(/^https:/);
    expect(tools.count('office', 'slack')).toBe(2);
    expect(room.marks()).toEqual({ slack: ' ⚠️ Connection not authenticated' });
    arm.connections.set('slack', { name: 'slack', api: 'slack' });
    await room.whenConnected('slack', 10_000, new AbortController().signal);
    expect(room.marks()).toEqual({});
  });

  it('multiple connections for the same API: each has tools of its own', async () => {
    const { call, tools } = await start();
    const answer = jsonOf(await call('put_connection', { apiName: 'mail', connectionName: 'archive' }));
    expect(answer.dynamicTools).toEqual({ message: '1 new tools registered for mail', registered: 1 });
    expect(tools.all.map(({ name }) => name).sort()).toEqual(['mail_archive_read_mail', 'mail_read_mail']);
  });

  it("client doesn't support listChanged: list_dynamic_tools shows the new tools", async () => {
    const { call } = await start();
    await call('put_connection', { apiName: 'slack' });
    const listed = jsonOf(await call('list_dynamic_tools'));
    expect(listed.map(({ tool }: { tool: string }) => tool).sort()).toEqual([
      'mail_read_mail',
      'slack_list_channels',
      'slack_post_message',
    ]);
  });
});
