import { SCAN_EVERY_MS, SCAN_SHARE } from '../limits.ts';
import { type Discovery, isDiscoveryUntouched } from './discover.ts';
import { type FolderState, isDue } from './judge-folder.ts';
import type { SkillFolders, Wanted } from './skill-folders.ts';

export interface Freshness {
  /** See `SkillRoom.freshen`. */
  check(skill?: string): Promise<void> | undefined;
  /** Compares everything, however short a time ago that was done before. */
  checkAll(): Promise<void> | undefined;
  /** Looks at these folders, in turn with other looks; resolves when the catalog has what was found. */
  look(wanted: Wanted): Promise<void>;
}

interface FreshnessOptions {
  readonly roots: readonly string[];
  readonly folders: SkillFolders;
  /** Looks, and makes known what was found. */
  renew(wanted: Wanted): Promise<void>;
  readonly now: () => number;
}

interface Flight {
  all: boolean;
  readonly folders: Set<string>;
  readonly imported: Set<string>;
  readonly done: Promise<void>;
}

/** Decides what has to be looked at, and lets those who wait for one change share one look. */
export function freshness({ roots, folders, renew, now }: FreshnessOptions): Freshness {
  let current: Flight | undefined;
  /** Gathers what is wanted until the current one has ended. */
  let next: Flight | undefined;
  let scannedAt = Number.NEGATIVE_INFINITY;
  let scanMs = 0;

  const look = ({ all, folders: wanted, imported = new Set() }: Wanted): Promise<void> => {
    if (next === undefined) {
      const before = current?.done ?? Promise.resolve();
      const flight: Flight = {
        all: false,
        folders: new Set(),
        imported: new Set(),
        done: before
          .catch(() => undefined)
          .then(() => {
            current = flight;
            next = undefined;
            return renew(flight);
          })
          .finally(() => {
            if (current === flight) current = undefined;
          }),
      };
      next = flight;
    }
    next.all ||= all;
    for (const folder of wanted) next.folders.add(folder);
    for (const folder of imported) next.imported.add(folder);
    return next.done;
  };

  const covers = (flight: Flight | undefined, states: readonly FolderState[]) =>
    flight !== undefined && (flight.all || states.some(({ folder }) => flight.folders.has(folder)));

  /** Nothing differs any more, but what differed may not be in the catalog yet. */
  const onItsWay = (states: readonly FolderState[]) =>
    covers(current, states) ? current?.done : covers(next, states) ? next?.done : undefined;

  const checkOf = (states: readonly FolderState[]): Promise<void> | undefined => {
    const due = states.filter((state) => isDue(state, now()));
    if (due.length === 0) return onItsWay(states);
    if (current !== undefined && due.every((state) => state.reading && covers(current, [state])))
      return current.done;
    return look({ all: false, folders: new Set(due.map(({ folder }) => folder)) });
  };

  const checkAll = (): Promise<void> | undefined => {
    const states = [...folders.states.values()];
    scannedAt = performance.now();
    try {
      return scan(states);
    } finally {
      scanMs = performance.now() - scannedAt;
    }
  };

  const scan = (states: readonly FolderState[]): Promise<void> | undefined => {
    if (!isDiscoveryUntouched(folders.discovery())) return look({ all: true, folders: new Set() });
    return checkOf(states);
  };

  const checkSometimes = () =>
    performance.now() - scannedAt < Math.min(scanMs * SCAN_SHARE, SCAN_EVERY_MS)
      ? (current ?? next)?.done
      : checkAll();

  return {
    look,
    checkAll,
    check(skill) {
      if (skill === undefined) return checkSometimes();
      const states = [...folders.states.values()].filter(({ compiled }) => compiled?.id === skill);
      if (states.length === 0 && isDiscoveryUntouched(folders.discovery())) return checkSometimes();
      if (states.length === 0) return look({ all: true, folders: new Set() });
      if (!isDiscoveryUntouched(rootsOf(folders.discovery(), roots)))
        return look({ all: true, folders: new Set() });
      return checkOf(states);
    },
  };
}

function rootsOf({ looked }: Discovery, roots: readonly string[]): Pick<Discovery, 'looked'> {
  const wanted = new Set(roots);
  return { looked: looked.filter(({ folder }) => wanted.has(folder)) };
}
