import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { filled } from '../../components/filled.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { type People, usePeople } from '../../components/people/use-people.ts';
import { bytes } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { OlderOnes } from '../../components/tables/older-ones.tsx';
import { RowAction } from '../../components/tables/row-action.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { ArtifactFilters } from './artifact-filters.tsx';
import styles from './artifacts.module.css';
import { type Artifact, useArtifacts } from './queries.ts';
import { RemoveArtifact } from './remove-artifact.tsx';

/** What is kept, newest first. */
export function ArtifactList() {
  const [query, setQuery] = useSearchParams();
  const filter = { q: query.get('q')?.trim() ?? '', user: query.get('user') ?? '' };
  const isFiltered = filter.q !== '' || filter.user !== '';
  const kept = useArtifacts(filter);
  const people = usePeople();
  const { data } = kept;
  const [chosen, setChosen] = useState<Artifact>();
  const rows = data?.pages.flatMap(({ artifacts }) => artifacts) ?? [];
  const columns: ReadonlyArray<Column<Artifact>> = [
    {
      key: 'name',
      title: 'Name',
      cell: ({ id, name }) => <Link href={`/artifacts/${id}`}>{visibleText(name)}</Link>,
    },
    { key: 'type', title: 'Type', cell: ({ mimeType }) => visibleText(mimeType), wide: true },
    { key: 'size', title: 'Size', align: 'end', cell: ({ size }) => bytes(size) },
    // a user sees the own ones only
    ...(rows.some(({ owner }) => owner !== undefined)
      ? [{ key: 'owner', title: 'Owner', cell: (one: Artifact) => ownerOf(one, people), wide: true } as const]
      : []),
    { key: 'made', title: 'Kept', cell: ({ createdAt }) => <Time at={createdAt} />, wide: true },
    { key: 'expires', title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      key: 'remove',
      title: 'Actions',
      align: 'end',
      wide: true,
      cell: (one) => (
        <RowAction to={one.name} onClick={() => setChosen(one)}>
          Remove
        </RowAction>
      ),
    },
  ];
  return (
    <>
      <ArtifactFilters
        filter={filter}
        people={people}
        onChange={(change) => setQuery(filled({ ...filter, ...change }), { replace: true })}
      />
      <QueryState query={kept} what="artifacts" title="The artifacts could not be read" />
      {data !== undefined && rows.length === 0 ? (
        <EmptyState title={isFiltered ? 'Nothing that is kept fits these filters' : 'Nothing is kept'}>
          <p>An answer that does not fit into a model’s context is cut, and kept here as a whole.</p>
        </EmptyState>
      ) : null}
      {rows.length === 0 ? null : (
        <Panel flush>
          <DataTable caption="Artifacts" columns={columns} rows={rows} rowKey={({ id }) => id} />
        </Panel>
      )}
      <OlderOnes query={kept} className={styles['more']} />
      {chosen === undefined ? null : (
        <RemoveArtifact
          artifact={chosen}
          onClose={() => setChosen(undefined)}
          onRemoved={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

export function ownerOf({ owner }: Artifact, { names, nameOf }: People): string {
  if (owner === undefined) return 'the operator';
  const { user, organisation } = owner;
  if (names.has(user) || organisation === undefined) return nameOf(user);
  return visibleText(`${user} (${organisation})`);
}
