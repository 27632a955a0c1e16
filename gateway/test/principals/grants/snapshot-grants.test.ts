import { expect, it } from 'vitest';
import { readOrganisation } from '../../../src/principals/grants/organisation-snapshot.ts';
import { createSnapshotGrants } from '../../../src/principals/grants/snapshot-grants.ts';
import { onSqlite } from '../sqlite.ts';
import { ADA, BEN, createTeam, EVE, OPERATOR, SOURCES } from '../team.ts';

const stores = onSqlite();

it('grants of a snapshot are those of its active users, whatever became of them since', async () => {
  const { store, directory } = await createTeam(await stores.open());
  const inForce = async () =>
    createSnapshotGrants((await readOrganisation(store, 'acme', 1))!, { sources: SOURCES, tools: 'dynamic' });
  const before = await inForce();
  await directory.users.update(OPERATOR, 'ben', { status: 'disabled' });
  const after = await inForce();
  expect((await before.fresh(BEN)).source('weather')).toMatchObject({ level: 'read-only' });
  expect(before.known(BEN)).toBe(await before.fresh(BEN));
  expect(after.known(ADA).source('weather')).toMatchObject({ level: 'read-only' });
  for (const nobody of [BEN, EVE]) {
    expect(after.known(nobody).source('weather')).toBeUndefined();
    expect(() => after.fresh(nobody)).toThrow(`User ${nobody.id} was disabled or has left the organisation.`);
  }
});
