/**
 * Names that are free still: one that is taken is numbered on from the one before it, since strangers can send many
 * thousands that look alike once they are cleaned.
 */
export function unusedNames(
  isTaken: (name: string) => boolean,
  numbered: (name: string, count: number) => string,
): (name: string) => string {
  let counts: Map<string, number> | undefined;
  return (name) => {
    if (!isTaken(name)) return name;
    counts ??= new Map();
    let count = counts.get(name) ?? 2;
    while (isTaken(numbered(name, count))) count++;
    counts.set(name, count + 1);
    return numbered(name, count);
  };
}
