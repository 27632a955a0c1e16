import { readFile } from 'node:fs/promises';
import { writeAtomically } from '../../catalog/lock-files.ts';
import { hashBytes, isObject } from '../../operations/index.ts';
import { createTokenCounter } from '../../tokens/index.ts';

/** Counts tokens (o200k) of texts, and remembers the counts from one start to the next. */
export interface TokenCounts {
  /** The tokenizer is loaded with the first text that is not known: a quarter of a second, once. */
  readonly count: (text: string) => number;
  /** Reads what earlier starts counted. */
  open(): Promise<void>;
  /** Writes what is new. Never fails: counts that cannot be written are counted again. */
  close(): Promise<void>;
}

const MAX_COUNTS = 5000;
/** What was counted is written so long after it, for a start that follows one which was killed. Milliseconds. */
const WRITE_AFTER_MS = 500;

/** @param file undefined: nothing is remembered */
export function createTokenCounts(file: string | undefined): TokenCounts {
  /** Least recently used first. */
  const counts = new Map<string, number>();
  let tokenize: ((text: string) => number) | undefined;
  let due: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = () => {
    clearTimeout(due);
    due = undefined;
    writing = writing
      .then(() => writeAtomically(file!, JSON.stringify(Object.fromEntries(counts)), 0o600))
      .catch(() => undefined);
  };
  return {
    count(text) {
      const key = hashBytes(text).slice('sha256:'.length, 31);
      let tokens = counts.get(key);
      if (tokens === undefined) {
        tokenize ??= createTokenCounter();
        tokens = tokenize(text);
        if (file !== undefined) due ??= setTimeout(write, WRITE_AFTER_MS).unref();
      }
      counts.delete(key);
      counts.set(key, tokens);
      if (counts.size > MAX_COUNTS) counts.delete(counts.keys().next().value!);
      return tokens;
    },
    async open() {
      if (file === undefined) return;
      for (const [key, tokens] of await readCounts(file)) if (!counts.has(key)) counts.set(key, tokens);
    },
    async close() {
      if (due !== undefined) write();
      await writing;
    },
  };
}

async function readCounts(file: string): Promise<Array<[string, number]>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isObject(value)) return [];
    const known = Object.entries(value).filter(
      (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && (entry[1] as number) > 0,
    );
    return known.slice(-MAX_COUNTS);
  } catch {
    return [];
  }
}
