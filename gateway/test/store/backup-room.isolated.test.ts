import type { StatementSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { backupStore } from '../../src/store/backup.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryHome } from '../cli/command-run.ts';

const crib = temporaryHome();

/** The disk of the copy has no room left; that of the store has. */
vi.mock('node:sqlite', async (original) => {
  const { DatabaseSync } = await original<typeof import('node:sqlite')>();
  class Full extends DatabaseSync {
    override prepare(sql: string): StatementSync {
      if (sql.startsWith('vacuum into'))
        throw Object.assign(new Error('full'), { errcode: 13, errstr: 'database or disk is full' });
      return super.prepare(sql);
    }
  }
  return { DatabaseSync: Full };
});

it('names the folder of a backup that finds no room, and not the store', async () => {
  const address = `sqlite:${crib.path('state', 'toolcrib.db')}`;
  await (await openStore(address)).close();
  await expect(backupStore(address, crib.path('copy.db'))).rejects.toMatchObject({
    code: 'file_unusable',
    message: expect.stringContaining('no room for the copy'),
    location: crib.home,
    next: 'Make room there, then try again.',
  });
});
