import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import { isObject, type JsonObject } from '../operations/index.ts';
import { readSnapshot } from '../sources/azure/read-snapshot.ts';
import type { ConnectorSnapshot } from '../sources/azure/snapshot.ts';

const SNAPSHOT = 'snapshot.json';
const DOCUMENT = /^[0-9a-f]{64}\.json$/;
/** What another process, or a reading that began earlier, may still need. */
const KEEP_UNUSED_MS = 10 * 60_000;

/** The files of one source: a snapshot and the documents that it names. Readable by their owner alone. */
export interface SnapshotFiles {
  /** Absolute path of the snapshot. */
  readonly location: string;
  /** What lies there, without documents whose file is gone; undefined where nothing of use does. */
  read(): Promise<ConnectorSnapshot | undefined>;
  /** Stores a document; the name of its file. */
  keep(text: string): Promise<string>;
  readDocument(file: string): Promise<JsonObject | undefined>;
  /**
   * Replaces the snapshot where it differs; afterwards documents go that nobody names. The snapshot's text, another one
   * each time that a broken document was mended.
   */
  write(snapshot: ConnectorSnapshot): Promise<string>;
}

export function snapshotFiles(directory: string): SnapshotFiles {
  const location = join(directory, SNAPSHOT);
  let mended = 0;
  const make = async () => {
    await makeFolder(directory);
    await chmod(directory, 0o700);
  };
  return {
    location,
    async read() {
      const snapshot = await readFile(location)
        .then(readSnapshot)
        .catch(() => undefined);
      if (snapshot === undefined) return undefined;
      const present = new Set(await readdir(directory).catch(() => []));
      const documents = Object.entries(snapshot.documents).filter(
        ([, file]) => DOCUMENT.test(file) && present.has(file),
      );
      return { ...snapshot, documents: Object.fromEntries(documents) };
    },
    async keep(text) {
      const file = `${createHash('sha256').update(text).digest('hex')}.json`;
      const path = join(directory, file);
      await make();
      const before = await readFile(path, 'utf8').catch(() => undefined);
      if (before === text) {
        const now = new Date();
        await utimes(path, now, now).catch(() => undefined);
        return file;
      }
      await replaceFile(path, text);
      // cut off by a crash, or changed by somebody: what was made of it has to be made again
      if (before !== undefined) mended++;
      return file;
    },
    async readDocument(file) {
      if (!DOCUMENT.test(file)) return undefined;
      const document = await jsonOf(join(directory, file));
      return isObject(document) ? document : undefined;
    },
    async write(snapshot) {
      const text = `${JSON.stringify(snapshot)}\n`;
      await make();
      const before = await readFile(location, 'utf8').catch(() => undefined);
      if (before !== text) await replaceFile(location, text);
      await tidy(directory, new Set(Object.values(snapshot.documents)));
      return mended === 0 ? text : `${text}${mended}`;
    },
  };
}

async function tidy(directory: string, used: ReadonlySet<string>): Promise<void> {
  const old = Date.now() - KEEP_UNUSED_MS;
  for (const name of await readdir(directory)) {
    const ours = (DOCUMENT.test(name) && !used.has(name)) || /\.json\.[0-9a-f-]{36}\.tmp$/.test(name);
    if (!ours) continue;
    const path = join(directory, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (changed < old) await rm(path, { force: true });
  }
}

async function jsonOf(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}
