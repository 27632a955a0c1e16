import { expect, test } from 'vitest';
import { teamGateway } from './team-gateway.ts';

const PEOPLE = '/api/v1/approvals/people';

test('whoever decides knows the names of the organisation and its people, also with a key for nothing else; others their own', async () => {
  await using team = await teamGateway({
    policy: {
      defaults: { organisation: { '*': 'read-write' }, user: { '*': 'read-write' } },
      approvals: { approvers: ['lead'] },
    },
  });
  await team.admin('PUT', '/api/v1/roles/lead', { permissions: [] });
  const ben = await team.user('Ben');
  const lea = await team.user('Lea', { roles: ['lead'], email: 'lea@acme.example' });
  const [, other] = await team.operator('POST', '/api/v1/orgs', { name: 'Other' });
  const [, eve] = await team.operator('POST', '/api/v1/users', { name: 'Eve', organisation: other.id });
  const [, deciding] = await team.operator('POST', '/api/v1/keys', {
    user: lea.id,
    name: 'decides',
    purpose: 'approve',
  });
  const decides = team.as(deciding.key);
  type Named = ReadonlyArray<readonly [id: string, name: string]>;
  const byId = (named: Named) =>
    named.map(([id, name]) => ({ id, name })).sort((a, b) => (a.id < b.id ? -1 : 1));
  const own = [[team.organisation.id, 'Acme']] as const;
  const named = (people: Named, organisations: Named = own) => [
    200,
    { people: byId(people), organisations: byId(organisations) },
  ];
  const acme = [
    [team.ann.id, 'Ann'],
    [ben.id, 'Ben'],
    [lea.id, 'Lea'],
  ] as const;

  expect(await lea.call('GET', PEOPLE)).toEqual(named(acme));
  expect(await decides('GET', PEOPLE)).toEqual(named(acme));
  expect(await team.admin('GET', PEOPLE)).toEqual(named(acme));
  expect(await ben.call('GET', PEOPLE)).toEqual(named([[ben.id, 'Ben']]));
  expect(await team.operator('GET', PEOPLE)).toEqual(
    named([...acme, [eve.id, 'Eve']], [...own, [other.id, 'Other']]),
  );

  // everything else of people stays shut
  expect(await decides('GET', '/api/v1/users')).toMatchObject([403, { error: { code: 'tool_forbidden' } }]);
  await team.admin('PATCH', `/api/v1/users/${lea.id}`, { roles: [] });
  expect(await lea.call('GET', PEOPLE)).toEqual(named([[lea.id, 'Lea']]));
  expect(await decides('GET', PEOPLE)).toEqual(named([[lea.id, 'Lea']]));
});
