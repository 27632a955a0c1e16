import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/** Files of an empty database, which takes seconds to make: kept for the other files of this run of the tests. */
const EMPTY_DATABASE = join(process.env['XDG_STATE_HOME'] ?? tmpdir(), 'empty-pglite.tar');

/** An empty PostgreSQL inside this process. */
export async function createPGlite(): Promise<PGlite> {
  if (existsSync(EMPTY_DATABASE))
    return PGlite.create({ loadDataDir: new Blob([await readFile(EMPTY_DATABASE)]) });
  const pglite = await PGlite.create();
  const made = `${EMPTY_DATABASE}.${process.pid}`;
  await writeFile(made, (await pglite.dumpDataDir('none')).stream());
  // whole or not there: another worker may be making it, too
  await rename(made, EMPTY_DATABASE);
  return pglite;
}
