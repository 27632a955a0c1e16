import { expect, it } from 'vitest';
import { hashApiKey } from '../../../src/principals/authentication/api-key.ts';
import { readKey } from '../../../src/principals/authentication/read-key.ts';
import { scopeOf } from '../../../src/principals/directory/directory-context.ts';
import { onEveryStore } from '../../store/support/stores.ts';
import { ADA, createTeam, EVE } from '../team.ts';

onEveryStore((bench) => {
  it('a key is its own user, by its hash and by its id, with the revision of that organisation', async () => {
    const { directory, store, clock } = await createTeam(await bench.open());
    const { keys } = directory;
    const made = [];
    for (const [by, user] of [
      [ADA, 'ada'],
      [ADA, 'ben'],
      [EVE, 'eve'],
    ] as const)
      made.push(await keys.create(by, { user, name: 'key' }));
    const now = () => clock.now;
    for (const { key, record } of made) {
      for (const place of [{ hash: hashApiKey(key) }, { id: record.id }]) {
        const { principal, revision } = await readKey(store, place, now);
        expect(principal).toMatchObject({ id: record.user, key: record.id });
        expect(revision).toBe(await store.revision(scopeOf(principal.organisation)));
      }
    }
    const unknown = { code: 'unauthorized', message: 'The API key is not known.' };
    await expect(readKey(store, { hash: hashApiKey('another') }, now)).rejects.toMatchObject(unknown);
    await expect(readKey(store, { id: 'another' }, now)).rejects.toMatchObject(unknown);
  });

  it('a revoked key changes nothing any more, whatever other keys its user has', async () => {
    const { directory } = await createTeam(await bench.open());
    const { keys, users } = directory;
    const ids = [];
    for (const name of ['one', 'two', 'three'])
      ids.push((await keys.create(ADA, { user: 'ada', name })).record.id);
    await keys.revoke(ADA, ids[1]!);
    for (const id of ids) {
      const listed = users.list({ ...ADA, key: id });
      if (id === ids[1]) await expect(listed).rejects.toMatchObject({ code: 'unauthorized' });
      else expect(await listed).toHaveLength(2);
    }
    await keys.revoke(ADA, ids[0]!);
    expect(await users.list({ ...ADA, key: ids[2]! })).toHaveLength(2);
  });
});
