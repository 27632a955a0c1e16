import type { SkillAddress } from '../address.ts';
import { addressRefused, shown } from '../refuse.ts';
import type { RemoteRefs } from './remote.ts';

/** Which commit (or tag) of a repository is wanted, and which folder of it; empty for all. */
export interface Chosen {
  readonly id: string;
  readonly folder: string;
}

/** Throws `archive_refused` where there is no such branch, tag or commit. */
export function chooseRef(
  { ref, folder = '', refAndFolder }: Extract<SkillAddress, { kind: 'git' }>,
  { ids }: RemoteRefs,
): Chosen {
  if (ref !== undefined) return { id: idOf(ref, ids), folder };
  if (refAndFolder === undefined) {
    const id = ids.get('HEAD');
    if (id === undefined)
      throw addressRefused('The repository is empty, or says of no branch that it is the first.');
    return { id, folder };
  }
  // names of branches have slashes, too: the longest that there is
  const names = refAndFolder.split('/');
  for (let length = names.length; length > 0; length--) {
    const id = find(names.slice(0, length).join('/'), ids);
    if (id !== undefined) return { id, folder: folder || names.slice(length).join('/') };
  }
  return { id: idOf(names[0]!, ids), folder: folder || names.slice(1).join('/') };
}

function idOf(ref: string, ids: RemoteRefs['ids']): string {
  const id = find(ref, ids) ?? (/^[0-9a-f]{40}$/i.test(ref) ? ref.toLowerCase() : undefined);
  if (id !== undefined) return id;
  throw addressRefused(
    `The repository has no branch and no tag "${shown(ref)}"; commits are named by their whole id.`,
  );
}

function find(name: string, ids: RemoteRefs['ids']): string | undefined {
  return ids.get(`refs/heads/${name}`) ?? ids.get(`refs/tags/${name}`) ?? ids.get(name);
}
