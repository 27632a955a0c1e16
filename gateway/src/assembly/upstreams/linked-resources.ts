/** Addresses kept for all principals; of whoever has most, the oldest go first. */
const MAX_LINKS = 20_000;

/** Addresses that answers referred to, by principal: a list need not name them, yet they can be read. */
export interface LinkedResources {
  note(source: string, uris: readonly string[], principal: string): void;
  source(uri: string, principal: string): string | undefined;
}

export function createLinkedResources(maxLinks: number = MAX_LINKS): LinkedResources {
  /** Sources by address, of each principal. */
  const links = new Map<string, Map<string, string>>();
  let count = 0;
  const makeRoom = () => {
    const [principal, most] = [...links].reduce((one, other) => (other[1].size > one[1].size ? other : one));
    const leaving = Math.min(count - maxLinks, Math.ceil(most.size / 2));
    for (const uri of [...most.keys()].slice(0, leaving)) most.delete(uri);
    count -= leaving;
    if (most.size === 0) links.delete(principal);
  };
  return {
    note(source, uris, principal) {
      for (const uri of uris) {
        const own = links.get(principal) ?? new Map<string, string>();
        links.set(principal, own);
        if (!own.delete(uri)) count++;
        own.set(uri, source);
      }
      while (count > maxLinks) makeRoom();
    },
    source: (uri, principal) => links.get(principal)?.get(uri),
  };
}
