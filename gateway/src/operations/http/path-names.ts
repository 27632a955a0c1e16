/** Longer request targets no service takes (RFC 9112 §3 asks for 8,000 octets); each is unfolded many times. */
export const LONGEST_PATH = 16_384;

/** A path as the most lenient server could take it: every escape, look-alike and suffix undone; undefined when not possible. */
export function lenientNames(path: string): string[] | undefined {
  const names = foldName(path)?.split(/[/\\]/).map(bareName);
  return names && resolveDots(names.filter((name) => name !== ''));
}

/** Percent escapes, compatibility forms and case undone until nothing changes; undefined if not UTF-8. */
export function foldName(text: string): string | undefined {
  let folded = text;
  for (let round = 0; round < 50; round++) {
    const decoded = decodeOnce(folded)?.normalize('NFKC').toLowerCase();
    if (decoded === undefined || decoded === folded) return decoded;
    folded = decoded;
  }
  return undefined;
}

/** Without matrix parameters, query, fragment, NUL and what follows, and trailing dots and white space. */
export function bareName(segment: string): string {
  const name = segment.replace(/[;?#\0].*$/s, '').trimEnd();
  if (name === '.' || name === '..') return name;
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name[end - 1]!)) end--;
  return name.slice(0, end);
}

/** `.` and `..` carried out, escaped ones too (WHATWG URL); undefined when that leads above the start. */
export function resolveDots(segments: readonly string[]): string[] | undefined {
  const resolved: string[] = [];
  for (const segment of segments) {
    const plain = segment.replace(/%2e/gi, '.');
    if (plain === '..') {
      if (resolved.pop() === undefined) return undefined;
    } else if (plain !== '.') {
      resolved.push(segment);
    }
  }
  return resolved;
}

const FORMAT = /\.(?:json|xml|html?|js|csv|ya?ml|txt|rss|atom)$/;

/** Frameworks take `/users.json` for `/users`. Names are in lower case. */
export function withoutFormat(names: readonly string[]): string[] {
  const last = names.at(-1);
  return last === undefined ? [] : [...names.slice(0, -1), last.replace(FORMAT, '')];
}

/** Whether a path is closed by a blocklist's entry: from the start, or, where the entry begins with `**`, anywhere. */
export function closes(entry: readonly string[], path: readonly string[]): boolean {
  const anywhere = entry[0] === '**';
  const wanted = anywhere ? entry.slice(1) : entry;
  const last = anywhere ? path.length - wanted.length : 0;
  for (let start = 0; start <= last; start++) {
    if (wanted.every((segment, index) => path[start + index] === segment)) return true;
  }
  return false;
}

function decodeOnce(text: string): string | undefined {
  if (!text.isWellFormed()) return undefined;
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeURIComponent(escapes));
  } catch {
    return undefined;
  }
}
