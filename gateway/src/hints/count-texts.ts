import { sameness } from './clean.ts';

/** Something that several operations say, and how many. */
export interface Counted {
  readonly text: string;
  readonly count: number;
}

/** The same, told apart by what it is about: a code, a parameter. */
interface CountedOf extends Counted {
  readonly key: string;
}

/** A text of one operation; undefined says nothing. */
export type Say = (text: string | undefined, key?: string) => void;

interface Entry {
  readonly key: string;
  readonly text: string;
  count: number;
  /** The operation that said it last. */
  by: number;
}

/** Of one key: as texts are spelled, and by what texts that say the same have in common. */
interface Known {
  readonly spelled: Map<string, Entry>;
  readonly meant: Map<string, Entry>;
}

/**
 * Texts by how many operations say them, the most common first, ties as they are met; the spelling that is met first
 * is kept. Most texts are met again as they were spelled, so what they mean is asked once a spelling.
 */
export function countTexts<Operation>(
  operations: readonly Operation[],
  tell: (operation: Operation, say: Say) => void,
): readonly CountedOf[] {
  const entries: Entry[] = [];
  const keys = new Map<string, Known>();
  let by = 0;
  const say: Say = (text, key = '') => {
    if (text === undefined) return;
    let known = keys.get(key);
    if (known === undefined) {
      known = { spelled: new Map(), meant: new Map() };
      keys.set(key, known);
    }
    let entry = known.spelled.get(text);
    if (entry === undefined) {
      const meaning = sameness(text);
      entry = known.meant.get(meaning);
      if (entry === undefined) {
        entry = { key, text, count: 0, by: -1 };
        entries.push(entry);
        known.meant.set(meaning, entry);
      }
      known.spelled.set(text, entry);
    }
    if (entry.by === by) return;
    entry.by = by;
    entry.count += 1;
  };
  for (const operation of operations) {
    tell(operation, say);
    by += 1;
  }
  return entries.sort((a, b) => b.count - a.count).map(({ key, text, count }) => ({ key, text, count }));
}
