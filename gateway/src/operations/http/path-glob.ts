/**
 * Matches a document's path key (`/pets/{id}`) against a glob: `*` is any text within one segment, a segment
 * `**` any number of segments, also none; everything else, braces included, stands for itself.
 * Case counts. Time is bounded by the product of both lengths, whatever the pattern.
 */
export function matchesPathGlob(path: string, glob: string): boolean {
  const pattern = /^[/*]/.test(glob) ? glob : `/${glob}`;
  if (!pattern.includes('*')) return path === pattern;
  return wildcardMatch(
    path.split('/'),
    pattern.split('/'),
    (segment) => segment === '**',
    (segment, part) => wildcardMatch([...segment], [...part], (char) => char === '*', Object.is),
  );
}

/** Greedy match with one point of return: the last wildcard. */
function wildcardMatch(
  items: readonly string[],
  pattern: readonly string[],
  isWildcard: (part: string) => boolean,
  matches: (item: string, part: string) => boolean,
): boolean {
  let item = 0;
  let part = 0;
  let retryPart = -1;
  let retryItem = 0;
  while (item < items.length) {
    const current = pattern[part];
    if (current !== undefined && isWildcard(current)) {
      retryPart = part++;
      retryItem = item;
    } else if (current !== undefined && matches(items[item]!, current)) {
      item++;
      part++;
    } else if (retryPart >= 0) {
      part = retryPart + 1;
      item = ++retryItem;
    } else {
      return false;
    }
  }
  return pattern.slice(part).every(isWildcard);
}
