/** Addresses kept for all principals; the oldest go first. */
const MAX_LINKS = 20_000;

/** Addresses that answers referred to, by principal: a list need not name them, yet they can be read. */
export interface LinkedResources {
  note(source: string, uris: readonly string[], principal: string): void;
  source(uri: string, principal: string): string | undefined;
}

export function createLinkedResources(maxLinks: number = MAX_LINKS): LinkedResources {
  const links = new Map<string, string>();
  const keyOf = (uri: string, principal: string) => `${principal}\n${uri}`;
  return {
    note(source, uris, principal) {
      for (const uri of uris) {
        const key = keyOf(uri, principal);
        links.delete(key);
        links.set(key, source);
      }
      for (const key of links.keys()) {
        if (links.size <= maxLinks) break;
        links.delete(key);
      }
    },
    source: (uri, principal) => links.get(keyOf(uri, principal)),
  };
}
