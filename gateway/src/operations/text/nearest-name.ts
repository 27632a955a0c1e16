import { wordsOf } from './words.ts';

/** Longer names are not compared: the cost grows with the square. */
const MAX_LENGTH = 64;
const MAX_NAMES = 500;

/** The known name that a mistyped one most likely means; undefined when none is close. Case and signs do not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = plain(name);
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known.slice(0, MAX_NAMES)) {
    if (candidate.length > MAX_LENGTH) continue;
    const distance = editDistance(wanted, plain(candidate), least);
    if (distance < least) [least, best] = [distance, candidate];
  }
  return best;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, [...known]);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

const MAX_SUGGESTED = 3;

/** Known names that a wrong one may mean: mistyped ones first, then those that have all of its words. */
export function nearestNames(name: string, known: readonly string[]): readonly string[] {
  const found: string[] = [];
  const others = () => known.filter((one) => !found.includes(one));
  while (found.length < MAX_SUGGESTED) {
    const next = nearestName(name, others());
    if (next === undefined) break;
    found.push(next);
  }
  const wanted = name.length > MAX_LENGTH ? [] : wordsOf(name);
  const hasAll = (one: string) => {
    const words = new Set(wordsOf(one));
    return wanted.length > 0 && wanted.every((word) => words.has(word));
  };
  return [...found, ...others().filter(hasAll)].slice(0, MAX_SUGGESTED);
}

/** ` Close to it: a, b.`, or nothing. */
export function closeToIt(name: string, known: readonly string[]): string {
  const nearest = nearestNames(name, known);
  return nearest.length === 0 ? '' : ` Close to it: ${nearest.join(', ')}.`;
}

/** ` It takes a, b.`: for whoever named another. */
export function itTakes(known: readonly string[]): string {
  return known.length === 0 ? '' : ` It takes ${known.join(', ')}.`;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); from `bound` on, `bound`. */
function editDistance(left: string, right: string, bound: number): number {
  if (Math.abs(left.length - right.length) >= bound) return bound;
  let [older, previous]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, i) => i)];
  let before = 0;
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let lowest = row;
    for (let column = 1; column <= right.length; column++) {
      const differs = left[row - 1] === right[column - 1] ? 0 : 1;
      let least = Math.min(previous[column - 1]! + differs, previous[column]! + 1, current[column - 1]! + 1);
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) least = Math.min(least, older[column - 2]! + 1);
      current.push(least);
      lowest = Math.min(lowest, least);
    }
    // a swap looks two rows back
    if (Math.min(lowest, before) >= bound) return bound;
    before = lowest;
    [older, previous] = [previous, current];
  }
  return previous[right.length]!;
}
