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
