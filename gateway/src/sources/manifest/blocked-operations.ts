/**
 * The entry that closes an operation's path, if any: whole segments from the start, whatever their case. Calls are
 * checked again, on what goes over the wire.
 */
export function blockedBy(path: string, blocklist: readonly string[]): string | undefined {
  const segments = segmentsOf(path);
  return blocklist.find((entry) => closes(segmentsOf(entry), segments));
}

/** `**` at the beginning of an entry: anywhere in the path. */
function closes(entry: readonly string[], path: readonly string[]): boolean {
  const anywhere = entry[0] === '**';
  const wanted = anywhere ? entry.slice(1) : entry;
  const last = anywhere ? path.length - wanted.length : 0;
  for (let start = 0; start <= last; start++) {
    if (wanted.every((segment, index) => path[start + index] === segment)) return true;
  }
  return false;
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}
