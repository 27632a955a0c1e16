import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface EvictionLimits {
  readonly maxTotalBytes: number;
  readonly maxAgeMs: number;
}

interface StoredFile {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

const FILE = /^[0-9a-f]{32}$|^\.[0-9a-f]{32}(?:\.[0-9a-f]{8})?\.writing$/;
const LONGEST_WRITE_MS = 60 * 60 * 1000;
const RESCAN_MS = 5 * 60 * 1000;

export interface Evict {
  /** Called after each put, with the name and the size of the artifact's file. */
  (name: string, written: number): Promise<void>;
  /** Looks at once. Answers with how many went. */
  sweep(): Promise<number>;
}

/**
 * Keeps a directory of artifacts within its limits, the oldest go first, never the one just put, nor one that another
 * has put anew since it was looked at. Reads the directory only when the running total or five minutes demand it; one pass at a time.
 */
export function createEviction(directory: string, limits: EvictionLimits): Evict {
  let total = Number.POSITIVE_INFINITY;
  let scannedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> = Promise.resolve();
  const pass = async (name: string, written: number): Promise<void> => {
    total += written;
    if (total <= limits.maxTotalBytes && performance.now() - scannedAt < RESCAN_MS) return;
    ({ total } = await evictOldest(directory, name, limits));
    scannedAt = performance.now();
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = running.then(work);
    running = mine.then(
      () => {},
      () => {},
    );
    return mine;
  };
  const evict = (name: string, written: number) => inTurn(() => pass(name, written));
  return Object.assign(evict, {
    sweep: () => inTurn(async () => (await evictOldest(directory, undefined, limits)).removed),
  });
}

async function evictOldest(
  directory: string,
  kept: string | undefined,
  { maxTotalBytes, maxAgeMs }: EvictionLimits,
): Promise<{ readonly total: number; readonly removed: number }> {
  const now = Date.now();
  const files = await storedFiles(directory);
  files.sort((a, b) => a.modified - b.modified);
  let total = files.reduce((sum, file) => sum + file.size, 0);
  let removed = 0;
  for (const file of files) {
    if (file.name === kept) continue;
    const writing = file.name.endsWith('.writing');
    const expired = now - file.modified > (writing ? LONGEST_WRITE_MS : maxAgeMs);
    if (!expired && (writing || total <= maxTotalBytes)) continue;
    const facts = await factsOf(directory, file.name);
    if (facts !== undefined && facts.mtimeMs !== file.modified) continue;
    await rm(join(directory, file.name), { force: true });
    total -= file.size;
    removed++;
  }
  return { total, removed };
}

async function storedFiles(directory: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await readdir(directory).catch(() => [])) {
    if (!FILE.test(name)) continue;
    const facts = await factsOf(directory, name);
    if (facts?.isFile()) files.push({ name, size: facts.size, modified: facts.mtimeMs });
  }
  return files;
}

function factsOf(directory: string, name: string) {
  return stat(join(directory, name)).catch(() => undefined);
}
