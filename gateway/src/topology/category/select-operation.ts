import type { OperationFacts, OperationSelector } from '../../operations/index.ts';

/** Every part given must match; method and path match HTTP operations only. */
export function isSelected(facts: OperationFacts, selector: OperationSelector): boolean {
  const { operation, tag, method, path } = selector;
  if (operation !== undefined && operation !== facts.id) return false;
  if (tag !== undefined && !facts.tags.includes(tag)) return false;
  if (method === undefined && path === undefined) return true;
  if (facts.http === undefined) return false;
  if (method !== undefined && method.toUpperCase() !== facts.http.method.toUpperCase()) return false;
  return path === undefined || pathFits(facts.http.path, path);
}

/** `*` is text within a segment, `**` any number of segments. Time is the product of both lengths at the most. */
function pathFits(path: string, glob: string): boolean {
  const pattern = /^[/*]/.test(glob) ? glob : `/${glob}`;
  return fits(path.split('/'), pattern.split('/'), '**', (segment, part) =>
    fits([...segment], [...part], '*', (character, wanted) => character === wanted),
  );
}

/** Rows of what the rest of the pattern can begin at, one part of the pattern after the other. */
function fits(
  items: readonly string[],
  pattern: readonly string[],
  wildcard: string,
  matches: (item: string, part: string) => boolean,
): boolean {
  let reached = new Set([0]);
  for (const part of pattern) {
    const next = new Set<number>();
    const first = Math.min(...reached);
    if (part === wildcard) for (let at = first; at <= items.length; at++) next.add(at);
    else for (const at of reached) if (at < items.length && matches(items[at]!, part)) next.add(at + 1);
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(items.length);
}
