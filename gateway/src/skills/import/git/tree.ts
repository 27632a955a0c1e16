import { IMPORT_LIMITS } from '../import-limits.ts';
import { refused } from '../refuse.ts';
import type { GitObjects } from './pack.ts';

/** One name in a folder of a commit. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: 'file' | 'program' | 'folder' | 'link' | 'submodule';
  readonly id: string;
}

const KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '40000': 'folder',
  '100644': 'file',
  '100664': 'file',
  '100755': 'program',
  '120000': 'link',
  '160000': 'submodule',
};
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** A tag of a tag of a tag is still followed. */
const MAX_TAGS = 5;

/** The tree of a commit, or of what a tag stands for. Throws `archive_refused`. */
export function treeOf(objects: GitObjects, id: string): string {
  let wanted = id;
  for (let tags = 0; tags <= MAX_TAGS; tags++) {
    const { type, content } = objects.read(wanted);
    if (type === 'tree') return wanted;
    const [, key, next] = /^(tree|object) ([0-9a-f]{40})\n/.exec(content.toString('latin1', 0, 64)) ?? [];
    if (next === undefined || (type === 'commit') !== (key === 'tree')) break;
    wanted = next;
  }
  throw refused('What the branch or tag leads to is no commit.');
}

export function readTree(objects: GitObjects, id: string): TreeEntry[] {
  const { type, content } = objects.read(id);
  if (type !== 'tree') throw refused('A folder of the commit is none.');
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > content.length)
      throw refused('A folder of the commit is malformed.');
    const name = nameOf(content.subarray(space + 1, end));
    const kind = KINDS[content.toString('latin1', at, space)];
    if (kind === undefined) throw refused('is of a kind that git does not know.', name);
    if (entries.length >= IMPORT_LIMITS.entries)
      throw refused(`A folder of it has more than ${IMPORT_LIMITS.entries} entries.`);
    entries.push({ name, kind, id: content.toString('hex', end + 1, end + 21) });
    at = end + 21;
  }
  return entries;
}

function nameOf(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw refused('has a name that is no UTF-8.', bytes.toString('latin1'), error);
  }
}
