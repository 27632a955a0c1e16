import { mkdtempSync, realpathSync, rmdirSync } from 'node:fs';
import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../operations/work/once.ts';

/** A folder that waits longer may have been cleared away, milliseconds. */
const FRESH_MS = 60_000;

/** Where folders are made; with links followed, as processes tell their working folder. */
const prefix = once(() => join(realpathSync(tmpdir()), 'toolcrib-call-'));

let spare: { readonly folder: string; readonly madeAt: number } | undefined;
let isMaking = false;
const removesSpare = once(() => process.once('exit', () => spare !== undefined && removeNow(spare.folder)));

/**
 * A new empty folder for one run, nobody else's. One is made ahead after each run: on many disks a folder takes longer
 * than all else that a call adds to its script. Throws what the file system throws.
 */
export function takeWorkFolder(): string {
  const taken = spare;
  spare = undefined;
  if (taken !== undefined) {
    if (performance.now() - taken.madeAt < FRESH_MS) return taken.folder;
    removeNow(taken.folder);
  }
  return mkdtempSync(prefix());
}

/** Removes the folder with what a run left in it; nobody waits for that. */
export async function removeWorkFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
  if (spare !== undefined || isMaking) return;
  isMaking = true;
  try {
    spare = { folder: await mkdtemp(prefix()), madeAt: performance.now() };
    removesSpare();
  } catch {
    // the next run is told
  } finally {
    isMaking = false;
  }
}

function removeNow(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // gone
  }
}
