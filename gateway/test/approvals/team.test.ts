import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, teamGateway } from '../server/http/team-gateway.ts';

let team: Awaited<ReturnType<typeof teamGateway>>;
let connection: string;

/** Nobody is asked about a call of somebody whom the provider does not know. */
const acts = ({ id }: { readonly id: string }) =>
  team.operator('PUT', `/api/v1/connections/${connection}/users/${id}`, { providerUser: '158104' });

beforeAll(async () => {
  team = await teamGateway({
    policy: {
      defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      approvals: { write: 'ask' },
    },
  });
  connection = await team.connect();
  await acts(team.ann);
});
afterAll(() => team[Symbol.asyncDispose]());

const ADA = { arguments: { first_name: 'Ada', last_name: 'Lovelace' } };
const CALL = '/api/v1/tools/greenhouse_create_candidate/call';
const decisionOf = (approval: string) => `/api/v1/approvals/${approval}/decision`;
const written = () => team.provider.requests.filter(({ method }) => method !== 'GET').length;

/** An admin with an ordinary key and one that decides. */
async function approver(name: string) {
  const user = await team.user(name, { roles: ['admin'] });
  await acts(user);
  const [, made] = await team.operator('POST', '/api/v1/keys', { user: user.id, name, purpose: 'approve' });
  return { ...user, decides: team.as(made.key) as Caller };
}

const ask = async (caller: Caller): Promise<string> => {
  const [status, told] = await caller('POST', CALL, ADA);
  expect([status, told.error.code]).toEqual([409, 'approval_required']);
  return told.error.details.approval;
};

describe('approvals in a team', () => {
  it('are made with a key for it, by an approver who is not the caller', async () => {
    const bob = await approver('Bob');
    const approval = await ask(team.admin);
    for (const caller of [team.admin, bob.call, team.operator]) {
      const [status, body] = await caller('POST', decisionOf(approval), { decision: 'approve' });
      expect([status, body.error.code]).toEqual([403, 'approval_forbidden']);
    }
    const own = await ask(bob.call);
    const [, refused] = await bob.decides('POST', decisionOf(own), { decision: 'approve' });
    expect(refused.error.code).toBe('approval_forbidden');
    expect(written()).toBe(0);

    const [decided, card] = await bob.decides('POST', decisionOf(approval), { decision: 'approve' });
    expect([decided, card.decidedBy]).toEqual([200, bob.id]);
    expect((await team.admin('POST', CALL, ADA))[0]).toBe(200);
    expect(written()).toBe(1);
    expect((await bob.call('POST', CALL, { ...ADA, approval: own }))[0]).toBe(409);
  });

  it('need a key that no other key can make, and that can do nothing else', async () => {
    const bob = await approver('Bo');
    const [status, body] = await bob.call('POST', '/api/v1/keys', {
      user: bob.id,
      name: 'k',
      purpose: 'approve',
    });
    expect([status, body.error.code]).toEqual([403, 'admin_needed']);
    expect((await bob.decides('GET', '/api/v1/tools'))[0]).toBe(403);
    expect((await bob.decides('POST', CALL, ADA))[0]).toBe(403);
    expect((await bob.decides('POST', '/api/v1/users', { name: 'Eve' }))[0]).toBe(403);
  });

  it('are of no use once access was taken away', async () => {
    const [bob, cleo] = [await approver('Bobby'), await team.user('Cleo')];
    await acts(cleo);
    const approval = await ask(cleo.call);
    await bob.decides('POST', decisionOf(approval), { decision: 'approve' });
    const before = written();
    await team.operator('PUT', '/api/v1/access', {
      organisation: team.organisation.id,
      user: cleo.id,
      scope: 'category:ats',
      level: 'read-only',
    });
    const [status, told] = await cleo.call('POST', CALL, { ...ADA, approval });
    expect([status, told.error.code]).toEqual([403, 'tool_forbidden']);
    expect(written()).toBe(before);
  });

  it('end with their caller: whoever comes under the same id is asked anew', async () => {
    const bob = await approver('Bert');
    const cleo = { id: 'cleo', organisation: team.organisation.id, name: 'Cleo' };
    const come = async () => {
      await team.operator('POST', '/api/v1/users', cleo);
      await acts(cleo);
      const [, { key }] = await team.operator('POST', '/api/v1/keys', { user: 'cleo', name: 'key' });
      return team.as(key);
    };
    const first = await come();
    await bob.decides('POST', decisionOf(await ask(first)), { decision: 'approve_always' });
    expect((await first('POST', CALL, ADA))[0]).toBe(200);
    expect((await first('POST', CALL, ADA))[0]).toBe(200);
    expect((await team.operator('DELETE', '/api/v1/users/cleo'))[0]).toBe(204);
    const before = written();
    expect((await (await come())('POST', CALL, ADA))[0]).toBe(409);
    expect(written()).toBe(before);
  });
});
