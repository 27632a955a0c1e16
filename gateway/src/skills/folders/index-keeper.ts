import { type IndexedFolder, readIndex, writeIndex } from './index-file.ts';
import type { FolderState } from './judge-folder.ts';

/** Changes within this time are written together, milliseconds. */
const SETTLE_MS = 300;

/** The index on disk, written some time after what is known has changed. */
export interface IndexKeeper {
  read(): Promise<ReadonlyMap<string, IndexedFolder>>;
  store(states: Iterable<FolderState>): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

/** An index that cannot be written is none: the next start reads everything. */
export function indexKeeper(directory: string, report: (error: unknown, what: string) => void): IndexKeeper {
  let waiting: readonly IndexedFolder[] | undefined;
  let written = '';
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    timer = undefined;
    const folders = waiting;
    waiting = undefined;
    if (folders === undefined) return;
    const key = JSON.stringify(folders.map(({ compiled: { version }, ...rest }) => ({ ...rest, version })));
    if (key === written) return;
    try {
      await writeIndex(directory, folders);
      written = key;
    } catch (error) {
      report(error, 'what is known of its folders could not be written');
    }
  };
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };

  return {
    read: () => readIndex(directory),
    store(states) {
      waiting = [...states].flatMap(indexed);
      timer ??= setTimeout(flush, SETTLE_MS).unref();
    },
    close() {
      clearTimeout(timer);
      return flush();
    },
  };
}

/** What cannot be used now is remembered as it was last, under no fingerprint: it is read again. */
function indexed({ folder, compiled, listing, failure, artifacts }: FolderState): IndexedFolder[] {
  if (compiled === undefined) return [];
  const fingerprint = failure === undefined ? (listing?.fingerprint ?? '') : '';
  const written =
    artifacts === undefined ? {} : { artifacts: { folder: artifacts.folder, key: artifacts.key } };
  return [{ folder, fingerprint, compiled, ...written }];
}
