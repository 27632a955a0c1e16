import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../../src/operations/work/once.ts';
import { openStore } from '../../../src/store/open-store.ts';

/**
 * Makes the file of an empty store that is up to date, and names it as configurations do. Bringing a new one there waits
 * for the disk many times as long as most tests take.
 */
export async function emptySqlite(file: string): Promise<string> {
  writeFileSync(file, await upToDate(), { mode: 0o600 });
  return `sqlite:${file}`;
}

/** Once a worker. */
const upToDate = once(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-empty-store-'));
  try {
    const file = join(folder, 'empty.db');
    const store = await openStore(`sqlite:${file}`);
    await store.close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
