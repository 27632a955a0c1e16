import { expect, it } from 'vitest';
import { createKeyUses } from '../../../src/principals/index.ts';
import { onEveryStore } from '../../store/support/stores.ts';
import { ADA, createTeam, START } from '../team.ts';

onEveryStore((bench) => {
  it('the last use of a key is known to the minute, and changes nothing else', async () => {
    const { store, directory, clock } = await createTeam(await bench.open());
    const { record } = await directory.keys.create(ADA, { user: 'ben', name: 'laptop' });
    const { record: unused } = await directory.keys.create(ADA, { user: 'ben', name: 'ci' });
    expect(record.lastUsedAt).toBeNull();
    const uses = createKeyUses(store, () => clock.now);
    const revision = await store.revision('organisation:acme');
    const lastUsed = async () => {
      await uses.settled();
      return (await directory.keys.get(ADA, record.id)).lastUsedAt;
    };
    uses.note(record.id);
    expect(await lastUsed()).toBe(new Date(START).toISOString());
    clock.now = START + 59_000;
    uses.note(record.id);
    expect(await lastUsed()).toBe(new Date(START).toISOString());
    clock.now = START + 61_000;
    uses.note(record.id);
    expect(await lastUsed()).toBe(new Date(START + 61_000).toISOString());
    // another process whose clock is behind takes nothing back
    const other = createKeyUses(store, () => START);
    other.note(record.id);
    await other.settled();
    expect(await lastUsed()).toBe(new Date(START + 61_000).toISOString());
    expect(await store.revision('organisation:acme')).toBe(revision);
    expect((await directory.keys.get(ADA, unused.id)).lastUsedAt).toBeNull();
  });
});
