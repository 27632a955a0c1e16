import { lockEntries } from '../../assembly/compiling/lock-review.ts';
import { readIfPresent } from '../../catalog/lock-files.ts';
import { compareWithLock, emptyLock, type LockChange } from '../../compiler/lock.ts';
import { parseLock } from '../../compiler/lock-file.ts';
import type { Gateway } from '../../gateway.ts';

/** How the compiled tools differ from the lock. */
export interface DefinitionChanges {
  readonly lock: string;
  /** False: there is no lock, and everything counts as new. */
  readonly locked: boolean;
  readonly changes: readonly LockChange[];
}

export async function definitionChanges(gateway: Gateway): Promise<DefinitionChanges> {
  const { file } = gateway.configuration.lock;
  const text = await readIfPresent(file);
  const lock = text === undefined ? emptyLock() : parseLock(text, file);
  const changes = compareWithLock(lockEntries(gateway.view().catalog), lock);
  return { lock: file, locked: text !== undefined, changes };
}
