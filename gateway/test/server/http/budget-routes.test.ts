import { describe, expect, test } from 'vitest';
import { teamGateway } from './team-gateway.ts';

const LIST = '/api/v1/tools/greenhouse_list_jobs/call';
const policy = {
  defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
  budgets: [
    { name: 'each', calls: 2 },
    { name: 'all', per: 'organisation', source: 'greenhouse', calls: 3 },
  ],
};

describe('budgets of a team', () => {
  test('hold each user and the whole organisation, over HTTP like everywhere', async () => {
    await using team = await teamGateway({ policy });
    await team.connect();
    const [bob, eve] = [await team.user('Bob'), await team.user('Eve')];
    const code = async (call: typeof bob.call) => {
      const [, answer] = await call('POST', LIST, {});
      return answer.error?.code ?? 'ok';
    };
    expect([await code(bob.call), await code(bob.call), await code(bob.call)]).toEqual([
      'ok',
      'ok',
      'budget_exceeded',
    ]);
    // what was refused took nothing of the other budget
    expect([await code(eve.call), await code(eve.call)]).toEqual(['ok', 'budget_exceeded']);

    const seen = async (call: typeof bob.call, query = '') => {
      const [status, body] = await call('GET', `/api/v1/budgets${query}`);
      if (status !== 200) return body.error.code;
      return body.budgets.map((one: { budget: string; principal?: string; used: { calls: number } }) => [
        one.budget,
        one.principal ?? '-',
        one.used.calls,
      ]);
    };
    const whole = ['all', '-', 3];
    expect(await seen(bob.call)).toEqual([whole, ['each', bob.id, 2]]);
    expect(await seen(bob.call, `?principal=${eve.id}`)).toBe('admin_needed');
    expect((await seen(team.admin)).length).toBe(3);
    expect(await seen(team.admin, `?principal=${eve.id}`)).toEqual([whole, ['each', eve.id, 1]]);
    expect((await seen(team.operator)).length).toBe(3);
  });

  test('of a source that is closed to a user tell nothing of others’ calls', async () => {
    await using team = await teamGateway({ policy });
    await team.connect();
    const [bob, eve] = [await team.user('Bob'), await team.user('Eve')];
    await eve.call('POST', LIST, {});
    const shown = async () => (await bob.call('GET', '/api/v1/budgets'))[1].budgets;
    expect(await shown()).toMatchObject([{ budget: 'all' }]);
    await team.admin('PUT', '/api/v1/access', { scope: 'source:greenhouse', level: 'none' });
    expect(await shown()).toEqual([]);
    expect((await team.admin('GET', '/api/v1/budgets'))[1].budgets).toHaveLength(2);
  });

  test('of another organisation are nobody’s business', async () => {
    await using team = await teamGateway({ policy });
    await team.connect();
    await team.admin('POST', LIST, {});
    const [, other] = await team.operator('POST', '/api/v1/orgs', { name: 'Other' });
    const [, made] = await team.operator('POST', '/api/v1/users', { name: 'Zoe', organisation: other.id });
    const [, key] = await team.operator('POST', '/api/v1/keys', { user: made.id, name: 'zoe' });
    expect(await team.as(key.key)('GET', '/api/v1/budgets')).toEqual([200, { budgets: [] }]);
  });
});
