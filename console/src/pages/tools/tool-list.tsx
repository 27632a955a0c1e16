import { useCallback } from 'react';
import { Link } from 'wouter';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { count, counted } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { useSay } from '../../components/states/said.tsx';
import { type ListFilter, useListFilter } from './list-filter.ts';
import { useModelSearch, useOperations, useToolsFollow } from './queries.ts';
import { ToolFilters } from './tool-filters.tsx';
import { ToolRows } from './tool-rows.tsx';
import styles from './tools.module.css';

/** Every operation by name, or what a model's search would give for some words. */
export function ToolList() {
  const [filter, change] = useListFilter();
  useToolsFollow();
  const byModel = filter.find === 'model' && filter.q !== '';
  const operations = useOperations(filter);
  const search = useModelSearch(filter, byModel);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = operations;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const pages = operations.data?.pages;
  const counts = pages?.[0]?.counts;
  const rows = byModel ? search.data : pages?.flatMap((page) => page.operations);
  const shown = byModel ? search : operations;
  const found = byModel
    ? rows && `${counted(rows.length, 'hit')}, the best first`
    : counts === undefined
      ? 'Tools'
      : summary(counts);
  // of what is looked for, once it is here
  useSay(isNarrowed(filter) && !shown.isFetching ? found : undefined);
  return (
    <>
      <PageHeader title="Tools">
        <p>What a model can find and call here, what it costs, and why something is not offered.</p>
      </PageHeader>
      <ToolFilters filter={filter} sources={pages?.[0]?.sources ?? []} onChange={change} />
      <QueryState query={shown} what="tools" rows={6} title="The tools could not be read" />
      {rows === undefined ? null : (
        <Panel flush title={<span className={styles['summary']}>{found}</span>}>
          {rows.length === 0 ? (
            <NoTools filter={filter} byModel={byModel} />
          ) : (
            <ToolRows
              key={byModel ? 'search' : 'list'}
              label={byModel ? 'Hits' : 'Tools'}
              rows={rows}
              onEnd={byModel ? undefined : more}
            />
          )}
        </Panel>
      )}
    </>
  );
}

interface NoToolsProps {
  readonly filter: ListFilter;
  readonly byModel: boolean;
}

function isNarrowed({ q, source, access, state }: ListFilter): boolean {
  return q + source + access + state !== '';
}

function NoTools({ filter, byModel }: NoToolsProps) {
  if (!isNarrowed(filter)) {
    return (
      <EmptyState title="No tools yet">
        <p>
          They come with a source: <Link href="/sources">to the sources</Link>.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing fits">
      <p>
        {byModel
          ? 'A model that asks with these words finds nothing that it may call.'
          : 'No operation that you may know of is left by these filters.'}
      </p>
      <p>
        {byModel ? 'Ranked by name, what is hidden is found, too, and why. ' : ''}What a description holds and
        could not be read stands with its <Link href="/sources">source</Link>.
      </p>
    </EmptyState>
  );
}

function summary(
  counts: Readonly<Record<'all' | 'listed' | 'reachable' | 'hidden' | 'gated', number>>,
): string {
  const parts = (['listed', 'reachable', 'gated', 'hidden'] as const).filter((state) => counts[state] > 0);
  const said = parts.map((state) => `${count(counts[state])} ${state}`).join(', ');
  return `${counted(counts.all, 'operation')}${said === '' ? '' : `: ${said}`}`;
}
