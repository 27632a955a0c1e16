import { expect, it } from 'vitest';
import type { Principal } from '../../../src/operations/index.ts';
import { createDirectory } from '../../../src/principals/index.ts';
import type { StoreBench } from '../../store/support/stores.ts';

const OPERATOR: Principal = { id: 'local', kind: 'local', maxAccess: 'delete', roles: [] };

/** What is decided about one user in two processes at once. */
export function sharedDirectoryCases({ open }: StoreBench): void {
  const twoProcesses = async () => {
    const options = { defaults: { user: {}, organisation: {} }, sources: () => ({}) };
    const [one, two] = (await Promise.all([open(), open()])).map((store) =>
      createDirectory({ store, ...options }),
    );
    for (const id of ['acme', 'globex']) await one!.organisations.create(OPERATOR, { id, name: id });
    await one!.roles.set(OPERATOR, { organisation: 'acme', name: 'recruiter', permissions: [] });
    return [one!, two!] as const;
  };

  it('roles that are set at once are those of the one or of the other', async () => {
    const [one, two] = await twoProcesses();
    for (let round = 0; round < 10; round++) {
      const { id } = await one.users.create(OPERATOR, {
        name: 'Ann',
        organisation: 'acme',
        roles: ['admin'],
      });
      await Promise.all([
        one.users.update(OPERATOR, id, { roles: ['admin'] }),
        two.users.update(OPERATOR, id, { roles: ['recruiter'] }),
      ]);
      expect((await one.users.get(OPERATOR, id)).roles).toHaveLength(1);
    }
  });

  it('of two changes of a role that were made from the same, one is saved', async () => {
    const [one, two] = await twoProcesses();
    let before: readonly string[] = [];
    for (let round = 0; round < 10; round++) {
      const set = ({ roles }: typeof one, permission: string) =>
        roles.set(OPERATOR, {
          organisation: 'acme',
          name: 'recruiter',
          permissions: [`${permission}${round}`],
          before,
        });
      const sent = await Promise.allSettled([set(one, 'a'), set(two, 'b')]);
      const saved = sent.flatMap((each) => (each.status === 'fulfilled' ? [each.value.permissions] : []));
      expect(saved).toHaveLength(1);
      before = saved[0]!;
    }
  });

  it('a role that is given while its user moves does not go along', async () => {
    const [one, two] = await twoProcesses();
    for (let round = 0; round < 10; round++) {
      const { id } = await one.users.create(OPERATOR, { name: 'Ann', organisation: 'acme' });
      await Promise.allSettled([
        one.users.update(OPERATOR, id, { organisation: 'globex' }),
        two.users.update(OPERATOR, id, { roles: ['admin'] }),
      ]);
      expect(await one.users.get(OPERATOR, id)).toMatchObject({ organisation: 'globex', roles: [] });
    }
  });
}
