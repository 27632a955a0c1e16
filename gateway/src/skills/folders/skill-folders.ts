import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { atOnce } from '../at-once.ts';
import { QUIET_MS, READS_AT_ONCE } from '../limits.ts';
import { type Discovery, discover } from './discover.ts';
import type { IndexedFolder } from './index-file.ts';
import { type FolderState, isDue, type JudgeParts, judgeFolder } from './judge-folder.ts';

/** Which folders to look at. */
export interface Wanted {
  /** Roots too, and every folder in them. */
  readonly all: boolean;
  readonly folders: ReadonlySet<string>;
  /** Folders that were just put in place, by nobody else. */
  readonly imported?: ReadonlySet<string>;
}

/** Every folder of the roots, with what was made of it. */
export interface SkillFolders {
  readonly states: ReadonlyMap<string, FolderState>;
  readonly discovery: () => Discovery;
  /** Looks, and reads what differs. True where anything is not what it was. Rejects only by the signal. */
  look(wanted: Wanted, signal: AbortSignal): Promise<boolean>;
}

/** Time that the process may be kept from its other work, milliseconds. */
const SLICE_MS = 8;

export function skillFolders(
  roots: readonly string[],
  parts: JudgeParts,
  readIndex: () => Promise<ReadonlyMap<string, IndexedFolder>>,
): SkillFolders {
  const states = new Map<string, FolderState>();
  let discovery: Discovery = { found: [], looked: [], problems: [] };
  let index: ReadonlyMap<string, IndexedFolder> | undefined;

  const find = () => discover(roots, (folder) => states.has(folder) || index?.has(folder) === true);

  /** A folder that is exchanged by renaming is gone for a moment: what is missing is looked for again. */
  const findAgain = async (signal: AbortSignal) => {
    const found = find();
    const folders = new Set(found.found.map(({ folder }) => folder));
    if ([...states.keys()].every((folder) => folders.has(folder))) return found;
    await wait(QUIET_MS, undefined, { signal });
    return find();
  };

  const rediscover = async (signal: AbortSignal): Promise<boolean> => {
    const next = await findAgain(signal);
    let changed = JSON.stringify(next.problems) !== JSON.stringify(discovery.problems);
    const folders = new Set(next.found.map(({ folder }) => folder));
    for (const folder of states.keys()) {
      if (folders.has(folder)) continue;
      states.delete(folder);
      changed = true;
    }
    for (const found of next.found) {
      const state = states.get(found.folder);
      if (state?.found.real === found.real && state.found.realRoot === found.realRoot) continue;
      const { folder, rank } = found;
      const { compiled } = state ?? {};
      states.set(folder, { found, folder, rank, reading: false, ...(compiled ? { compiled } : {}) });
    }
    discovery = next;
    return changed;
  };

  return {
    states,
    discovery: () => discovery,
    async look({ all, folders, imported = new Set() }, signal) {
      index ??= await readIndex();
      let changed = all ? await rediscover(signal) : false;
      const waiting = [...states.values()].filter(({ folder }) => all || folders.has(folder));
      // from here on a change of them is noticed by this look
      for (const state of waiting) state.reading = true;
      let sliceEnd = performance.now() + SLICE_MS;
      try {
        await atOnce(waiting, READS_AT_ONCE, async (state) => {
          signal.throwIfAborted();
          if (performance.now() > sliceEnd) {
            await turn();
            sliceEnd = performance.now() + SLICE_MS;
          }
          const { folder } = state;
          const options = { indexed: index?.get(folder), imported: imported.has(folder), signal };
          if (!options.imported && !isDue(state, parts.now())) state.reading = false;
          else if (await judgeFolder(state, parts, options)) changed = true;
        });
      } finally {
        for (const state of waiting) state.reading = false;
      }
      // what an earlier process knew serves once, at the first look
      if (all) index = new Map();
      return changed;
    },
  };
}
