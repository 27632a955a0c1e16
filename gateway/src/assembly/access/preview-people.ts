import type { CatalogEntry } from '../../catalog/catalog.ts';
import type { Grants } from '../../operations/index.ts';
import { compareVisible, visibleEntries } from '../../policy/visible-entries.ts';
import type { Person } from '../../principals/access/access-records.ts';
import type {
  PreviewedPerson,
  PreviewedSource,
  PreviewedTools,
} from '../../server/http/admin/access-administration.ts';

/** Names that a preview gives of each list. */
const NAMED = 50;

/** What one person would gain and lose; people whose grants are equal are compared once. */
export function createPreviews(
  sources: readonly string[],
  entries: readonly CatalogEntry[],
): (person: Person, before: Grants, after: Grants) => PreviewedPerson | undefined {
  const seen = new Map<string, ReadonlySet<CatalogEntry>>();
  const visibleTo = (grants: Grants) => {
    let visible = seen.get(grants.stamp);
    if (visible === undefined) {
      visible = visibleEntries(entries, grants);
      seen.set(grants.stamp, visible);
    }
    return visible;
  };
  const compared = new Map<string, readonly PreviewedSource[]>();
  const changesOf = (before: Grants, after: Grants): readonly PreviewedSource[] => {
    const pair = JSON.stringify([before.stamp, after.stamp]);
    const known = compared.get(pair);
    if (known !== undefined) return known;
    const found = compareVisible(entries, visibleTo(before), visibleTo(after));
    const bySource = new Map(found.map((difference) => [difference.source, difference]));
    const changed = sources.flatMap((source): PreviewedSource[] => {
      const { gained = [], lost = [] } = bySource.get(source) ?? {};
      const levels = { before: levelOf(before, source), after: levelOf(after, source) };
      if (gained.length === 0 && lost.length === 0 && levels.before === levels.after) return [];
      return [{ source, ...levels, gained: named(gained), lost: named(lost) }];
    });
    compared.set(pair, changed);
    return changed;
  };
  return ({ id, name }, before, after) => {
    if (before.stamp === after.stamp) return undefined;
    const changed = changesOf(before, after);
    if (changed.length === 0) return undefined;
    const sum = (of: 'gained' | 'lost') => changed.reduce((total, one) => total + one[of].count, 0);
    return { id, name, gained: sum('gained'), lost: sum('lost'), sources: changed };
  };
}

function levelOf(grants: Grants, source: string) {
  return grants.source(source)?.level ?? 'none';
}

function named(entries: readonly CatalogEntry[]): PreviewedTools {
  return { count: entries.length, tools: entries.slice(0, NAMED).map(({ tool }) => tool.name) };
}
