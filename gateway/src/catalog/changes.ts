import { canonicalJson } from '../operations/index.ts';
import type { Catalog, CatalogEntry } from './catalog.ts';

/** What differs between two snapshots, as clients would see it. */
export interface CatalogChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly sources: readonly string[];
  readonly prompts: boolean;
  readonly resources: boolean;
  readonly any: boolean;
}

export function changesBetween(before: Catalog, after: Catalog): CatalogChanges {
  const old = visible(before);
  const now = visible(after);
  const added = [...now.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const changed = [...now].filter(([name, entry]) => differs(old.get(name), entry)).map(([name]) => name);
  const sources = new Set([...added, ...changed].map((name) => now.get(name)!.source));
  for (const name of removed) sources.add(old.get(name)!.source);
  const prompts = canonicalJson(before.prompts) !== canonicalJson(after.prompts);
  const resources =
    canonicalJson([before.resources, before.resourceTemplates]) !==
    canonicalJson([after.resources, after.resourceTemplates]);
  return {
    added,
    removed,
    changed,
    sources: [...sources].sort(),
    prompts,
    resources,
    any: added.length + removed.length + changed.length > 0 || prompts || resources,
  };
}

function visible(catalog: Catalog): Map<string, CatalogEntry> {
  return new Map(catalog.entries.filter((entry) => !entry.quarantined).map((entry) => [entry.name, entry]));
}

function differs(before: CatalogEntry | undefined, after: CatalogEntry): boolean {
  if (before === undefined || before.json === after.json) return false;
  return before.mark !== after.mark || before.hash !== after.hash;
}
