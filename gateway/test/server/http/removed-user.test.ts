import { expect, it } from 'vitest';
import { teamGateway } from './team-gateway.ts';

const JOBS = '/api/v1/tools/greenhouse_list_jobs/call';

it('shows a user nothing of the calls of a removed one who had the id', async () => {
  await using team = await teamGateway({
    policy: {
      defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      approvals: { rules: [{ action: 'ask', tool: 'greenhouse_list_jobs' }] },
    },
  });
  await team.connect();
  const join = async (name: string) => {
    const made = { id: 'ben', name, organisation: team.organisation.id };
    expect(await team.operator('POST', '/api/v1/users', made)).toMatchObject([201, { id: 'ben' }]);
    const [, { key }] = await team.admin('POST', '/api/v1/keys', { user: 'ben', name });
    return team.as(key);
  };
  const calls = async (by: typeof team.admin, query = '') => {
    const [, { events }] = await by('GET', `/api/v1/events?type=call-started,call-failed${query}`);
    return new Set(events.map(({ call }: { call: string }) => call)) as ReadonlySet<string>;
  };
  const usage = async (by: typeof team.admin) => {
    const [, { usage: rows }] = await by('GET', '/api/v1/usage?groupBy=user&user=ben');
    return rows.map((row: { calls: number }) => row.calls);
  };
  const approvals = async (by: typeof team.admin) => {
    const [, body] = await by('GET', '/api/v1/approvals');
    return body.approvals.map((one: { principal: string; state: string }) => [one.principal, one.state]);
  };

  const first = await join('The first');
  await first('POST', JOBS, {});
  await expect.poll(() => usage(first)).toEqual([1]);
  const [theirs] = [...(await calls(first))];
  expect(await approvals(first)).toEqual([['ben', 'pending']]);
  expect((await team.admin('DELETE', '/api/v1/users/ben'))[0]).toBe(204);

  const second = await join('The second');
  expect(await calls(second)).toEqual(new Set());
  expect(await calls(second, '&from=2020-01-01T00:00:00Z')).toEqual(new Set());
  expect(await calls(second, '&after=0')).toEqual(new Set());
  expect(await usage(second)).toEqual([]);
  expect(await approvals(second)).toEqual([]);
  expect((await second('GET', `/api/v1/calls/${theirs}`))[0]).toBe(404);
  expect((await team.admin('GET', `/api/v1/calls/${theirs}`))[0]).toBe(200);
  expect(await approvals(team.admin)).toEqual([['ben (removed)', 'stale']]);
  const [, { events }] = await team.admin('GET', '/api/v1/events?type=approval-void');
  expect(events).toMatchObject([{ principal: 'ben', state: 'stale', message: 'The user was removed.' }]);

  await second('POST', JOBS, {});
  await expect.poll(() => usage(second)).toEqual([1]);
  const own = await calls(second);
  expect(own.size).toBe(1);
  expect(own).not.toContain(theirs);
  expect((await calls(team.admin, '&principal=ben')).size).toBe(2);
});

it('shows the admins of an organisation nothing of a removed one that had the id', async () => {
  await using team = await teamGateway({
    policy: {
      defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      approvals: { rules: [{ action: 'ask', tool: 'greenhouse_list_candidates' }] },
      budgets: [
        { name: 'each', calls: 9 },
        { name: 'all', per: 'organisation', calls: 9 },
      ],
    },
  });
  const { operator } = team;
  const found = async (name: string) => {
    expect((await operator('POST', '/api/v1/orgs', { id: 'branch', name }))[0]).toBe(201);
    const [, user] = await operator('POST', '/api/v1/users', {
      name,
      organisation: 'branch',
      roles: ['admin'],
    });
    const [, { key }] = await operator('POST', '/api/v1/keys', { user: user.id, name });
    await operator('POST', '/api/v1/connections', {
      organisation: 'branch',
      source: 'greenhouse',
      credentials: { schemes: { basic: { apiKey: { env: 'LOOPBACK_GREENHOUSE_KEY' } } } },
    });
    return team.as(key);
  };
  const seen = async (by: typeof team.admin) => {
    const get = async (path: string) => (await by('GET', path))[1];
    const calls = (events: ReadonlyArray<{ type: string }>) =>
      events.filter(({ type }) => type === 'call-started').length;
    return {
      events: calls((await get('/api/v1/events')).events),
      earlier: calls((await get('/api/v1/events?from=2020-01-01T00:00:00Z')).events),
      after: calls((await get('/api/v1/events?after=0')).events),
      usage: (await get('/api/v1/usage')).usage.map((row: { calls: number }) => row.calls),
      approvals: (await get('/api/v1/approvals')).approvals.length,
      budgets: (await get('/api/v1/budgets')).budgets.map(
        (one: { used: { calls: number } }) => one.used.calls,
      ),
    };
  };

  const first = await found('The first');
  expect((await first('POST', JOBS, {}))[0]).toBe(200);
  await first('POST', '/api/v1/tools/greenhouse_list_candidates/call', {});
  const all = { events: 2, earlier: 2, after: 2, usage: [2], approvals: 1 };
  await expect.poll(() => seen(first)).toMatchObject(all);
  const [, { events }] = await first('GET', '/api/v1/events?type=call-completed');
  expect((await operator('DELETE', '/api/v1/orgs/branch'))[0]).toBe(204);

  const second = await found('The second');
  const nothing = { events: 0, earlier: 0, after: 0, usage: [], approvals: 0, budgets: [] };
  expect(await seen(second)).toEqual(nothing);
  expect((await second('GET', `/api/v1/calls/${events[0].call}`))[0]).toBe(404);
  expect((await operator('GET', `/api/v1/calls/${events[0].call}`))[0]).toBe(200);
  expect((await operator('GET', '/api/v1/approvals'))[1].approvals).toMatchObject([
    { organisation: 'branch (removed)', state: 'stale' },
  ]);

  expect((await second('POST', JOBS, {}))[0]).toBe(200);
  await expect
    .poll(() => seen(second))
    .toEqual({ events: 1, earlier: 1, after: 1, usage: [1], approvals: 0, budgets: [1, 1] });
});
