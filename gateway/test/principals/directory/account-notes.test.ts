import { expect, it } from 'vitest';
import { createAccountNotes } from '../../../src/principals/directory/account-notes.ts';
import { onEveryStore } from '../../store/support/stores.ts';
import { ADA, createTeam, OPERATOR, START } from '../team.ts';

const OF_ACME = { source: 'greenhouse', organisation: 'acme' };

onEveryStore((bench) => {
  it('since when an account has to be connected anew is known until it works, and changes nothing else', async () => {
    const { store, directory, clock } = await createTeam(await bench.open());
    const credentials = { nango: { integration: 'greenhouse', connection: 'ada:greenhouse' } };
    const { id } = await directory.connections.create(OPERATOR, { ...OF_ACME, credentials });
    const revision = await store.revision('organisation:acme');
    const notes = createAccountNotes(store, () => clock.now);
    const since = async () => {
      await notes.settled();
      return (await directory.connections.get(ADA, id)).reconnectSince;
    };
    notes.worked(id);
    expect(await since()).toBeNull();
    notes.ended(id);
    expect(await since()).toBe(new Date(START).toISOString());
    // it is the first time that counts, also for another process
    clock.now = START + 90_000;
    notes.ended(id);
    const other = createAccountNotes(store, () => clock.now);
    other.ended(id);
    await other.settled();
    expect(await since()).toBe(new Date(START).toISOString());
    notes.worked(id);
    expect(await since()).toBeNull();
    // what another process has noted since is taken back in a minute
    other.ended(id);
    clock.now += 30_000;
    other.worked(id);
    await other.settled();
    expect(await since()).toBeNull();
    notes.ended('nobody');
    expect(await store.revision('organisation:acme')).toBe(revision);
  });

  it('a credential that is named anew has not been tried', async () => {
    const { store, directory, clock } = await createTeam(await bench.open());
    const at = (connection: string) => ({ nango: { integration: 'greenhouse', connection } });
    const { id } = await directory.connections.create(OPERATOR, {
      ...OF_ACME,
      credentials: at('one'),
    });
    const notes = createAccountNotes(store, () => clock.now);
    notes.ended(id);
    await notes.settled();
    await directory.connections.update(ADA, id, { name: 'Ours' });
    expect((await directory.connections.get(ADA, id)).reconnectSince).toBe(new Date(START).toISOString());
    const changed = await directory.connections.update(OPERATOR, id, { credentials: at('two') });
    expect(changed.reconnectSince).toBeNull();
  });

  it('a store that cannot be written costs a note, and the next one is written', async () => {
    const { store, directory, clock } = await createTeam(await bench.open());
    const { id } = await directory.connections.create(OPERATOR, { ...OF_ACME, credentials: 'none' });
    let isAway = true;
    const notes = createAccountNotes(
      {
        ...store,
        get database() {
          if (isAway) throw new Error('away');
          return store.database;
        },
      },
      () => clock.now,
    );
    notes.ended(id);
    await notes.settled();
    isAway = false;
    notes.ended(id);
    await notes.settled();
    expect((await directory.connections.get(ADA, id)).reconnectSince).not.toBeNull();
  });
});
