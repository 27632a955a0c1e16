import { beforeEach, expect, it } from 'vitest';
import { createEndedProcess } from '../../src/store/ended-process.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryStore } from './support/stores.ts';

/** An id that no process of a machine has (Linux: at most 2^22). */
const NO_PID = 2 ** 30;

onEveryStore(({ open }) => {
  let store: Store;
  let time: number;
  let hasEnded: (id: string) => Promise<boolean>;

  beforeEach(async () => {
    store = await open();
    time = 1_000_000;
    hasEnded = createEndedProcess(store, () => time);
  });

  /** A process that said `ago` milliseconds ago that it lives; 0: it has said that it ends. */
  async function announce(ago: number, changes: { machine?: string; pid?: number } = {}): Promise<void> {
    const seen_at = ago === 0 ? 0 : Date.now() - ago;
    await store.database.deleteFrom('processes').where('id', '=', 'other').execute();
    const row = {
      id: 'other',
      machine: 'elsewhere',
      pid: process.pid,
      started_at: 0,
      open_from: 0,
      ...changes,
    };
    await store.database
      .insertInto('processes')
      .values({ ...row, seen_at })
      .execute();
  }

  it('a process that said so, or is of this machine and not there, has ended at once', async () => {
    await announce(0);
    expect(await hasEnded('other')).toBe(true);
    await announce(1, { machine: store.identity.machine, pid: NO_PID });
    expect(await hasEnded('other')).toBe(true);
    await announce(1, { machine: store.identity.machine });
    expect(await hasEnded('other')).toBe(false);
    await announce(1, { pid: NO_PID });
    expect(await hasEnded('other')).toBe(false);
  });

  it('the one that asks has not, whatever stands in the store', async () => {
    await announce(0);
    await store.database
      .updateTable('processes')
      .set({ id: store.process })
      .where('id', '=', 'other')
      .execute();
    expect(await hasEnded(store.process)).toBe(false);
  });

  it.each([
    ['silent', 60_000],
    ['not there', undefined],
  ])('one that is %s has ended where it is so for long', async (_, ago) => {
    if (ago !== undefined) await announce(ago);
    expect(await hasEnded('other')).toBe(false);
    time += 9_999;
    expect(await hasEnded('other')).toBe(false);
    time += 1;
    expect(await hasEnded('other')).toBe(true);
  });

  it('one that was silent for less than fifteen seconds lives, whatever our own clock says', async () => {
    await announce(5_000);
    expect(await hasEnded('other')).toBe(false);
    time += 60_000;
    expect(await hasEnded('other')).toBe(false);
  });

  it('one that has said something meanwhile lives', async () => {
    await announce(60_000);
    expect(await hasEnded('other')).toBe(false);
    time += 10_000;
    await announce(20_000);
    expect(await hasEnded('other')).toBe(false);
    await announce(10_000);
    expect(await hasEnded('other')).toBe(false);
    await announce(20_000);
    time += 10_000;
    expect(await hasEnded('other')).toBe(false);
  });
});
