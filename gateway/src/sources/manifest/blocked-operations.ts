import { closes } from '../../operations/http/path-names.ts';

/**
 * The entry that closes an operation's path, if any: whole segments from the start, whatever their case. Calls are
 * checked again, on what goes over the wire.
 */
export function blockedBy(path: string, blocklist: readonly string[]): string | undefined {
  const segments = segmentsOf(path);
  return blocklist.find((entry) => closes(segmentsOf(entry), segments));
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}
