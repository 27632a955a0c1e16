import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { emptySqlite } from '../store/support/empty-sqlite.ts';

/** One empty SQLite file per test, opened as often as processes share it. */
export function onSqlite(): { open(): Promise<Store> } {
  let folder: string | undefined;
  let made: Promise<string> | undefined;
  let opened: Store[] = [];
  afterEach(async () => {
    for (const store of opened) await store.close();
    opened = [];
    if (folder !== undefined) rmSync(folder, { recursive: true });
    folder = undefined;
    made = undefined;
  });
  return {
    async open() {
      folder ??= mkdtempSync(join(tmpdir(), 'toolcrib-principals-'));
      made ??= emptySqlite(join(folder, 'toolcrib.db'));
      const store = await openStore(await made);
      opened.push(store);
      return store;
    },
  };
}
