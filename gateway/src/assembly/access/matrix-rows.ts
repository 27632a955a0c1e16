import type { Catalog, CatalogEntry } from '../../catalog/catalog.ts';
import type { AccessLevel, Grants } from '../../operations/index.ts';
import type { SourceAccess } from '../../policy/source-access.ts';
import { visibleEntries } from '../../policy/visible-entries.ts';
import type { Person } from '../../principals/access/access-records.ts';
import type { MatrixCell, MatrixRow, MatrixSource } from '../../server/http/admin/access-administration.ts';

type SourceAccesses = Readonly<Record<string, SourceAccess>>;

/** What an organisation allows on a source, and the scope that says so. */
export type AllowedLevels = (source: string) => {
  readonly level: AccessLevel | null;
  readonly reason?: string | undefined;
};

/** Columns of the matrix. `allowed`: what the organisation's admin allows on a source, with what set it. */
export function matrixSources(
  { sources }: Catalog,
  access: SourceAccesses,
  entries: readonly CatalogEntry[],
  allowed: AllowedLevels,
): readonly MatrixSource[] {
  const counts = Map.groupBy(entries, ({ source }) => source);
  return sources.map(({ name, kind }) => {
    const { level, reason } = allowed(name);
    return {
      name,
      kind,
      category: access[name]?.category ?? 'api',
      connections: access[name]?.connections ?? 'shared',
      allowed: level,
      ...(reason === undefined ? {} : { allowedBy: reason }),
      operations: counts.get(name)?.length ?? 0,
    };
  });
}

/** Makes rows; people whose grants are equal are counted once. */
export function createMatrixRows(
  sources: readonly MatrixSource[],
  entries: readonly CatalogEntry[],
): (person: Person, grants: Grants) => MatrixRow {
  const counted = new Map<string, ReadonlyMap<string, number>>();
  const countsOf = (grants: Grants) => {
    let counts = counted.get(grants.stamp);
    if (counts === undefined) {
      const visible = Map.groupBy(visibleEntries(entries, grants), ({ source }) => source);
      counts = new Map([...visible].map(([source, seen]) => [source, seen.length]));
      counted.set(grants.stamp, counts);
    }
    return counts;
  };
  return (person, grants) => {
    const counts = countsOf(grants);
    return {
      ...person,
      held: grants.roles,
      permissions: grants.permissions,
      features: grants.features,
      cells: sources.map(({ name }) => cellOf(name, grants, counts.get(name) ?? 0)),
    };
  };
}

function cellOf(source: string, grants: Grants, visible: number): MatrixCell {
  const grant = grants.source(source);
  return {
    source,
    level: grant?.level ?? 'none',
    admin: grant?.admin ?? null,
    user: grant?.user ?? null,
    connection: grant?.connection ?? 'missing',
    reasons: grant?.reasons ?? {},
    ...(grant?.roles === undefined ? {} : { serviceRoles: grant.roles }),
    visible,
  };
}
