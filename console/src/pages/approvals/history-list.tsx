import { Link, useSearchParams } from 'wouter';
import type { ApprovalState } from '../../../../gateway/src/operations/index.ts';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { type People, usePeople } from '../../components/people/use-people.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { OlderOnes } from '../../components/tables/older-ones.tsx';
import { Time } from '../../components/time/time.tsx';
import { STATES } from './approval-states.ts';
import styles from './approvals.module.css';
import { HistoryFilters } from './history-filters.tsx';
import { type ShownApproval, useApprovalHistory } from './queries.ts';

const columnsFor = ({ nameOf }: People): ReadonlyArray<Column<ShownApproval>> => [
  {
    key: 'call',
    title: 'Call',
    cell: ({ id, card }) => <Link href={`/approvals/${id}`}>{card.title}</Link>,
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
  },
  { key: 'caller', title: 'Caller', cell: ({ principal }) => nameOf(principal), wide: true },
  {
    key: 'by',
    title: 'Decided by',
    cell: ({ decidedBy, channel }) => (decidedBy === undefined ? '' : `${nameOf(decidedBy)} (${channel})`),
    wide: true,
  },
  { key: 'asked', title: 'Asked', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** Everything that was asked, newest first; the filters stand in the address. */
export function HistoryList() {
  const [query, setQuery] = useSearchParams();
  const people = usePeople();
  const filter = {
    state: stateOf(query.get('state')),
    tool: query.get('tool') || undefined,
    source: query.get('source') || undefined,
    principal: query.get('principal') || undefined,
  };
  const history = useApprovalHistory(filter);
  const { data } = history;
  const rows = data?.pages.flatMap(({ approvals }) => approvals) ?? [];
  const filtered = Object.values(filter).some((value) => value !== undefined);
  const change = (name: string, value: string) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <HistoryFilters filter={filter} rows={rows} onChange={change} />
      <QueryState query={history} what="approvals" title="The history could not be read" />
      {data !== undefined && rows.length === 0 ? (
        <EmptyState title={filtered ? 'Nothing fits these filters' : 'Nobody was asked yet'}>
          <p>
            {filtered
              ? 'Names of tools, sources and callers are compared as a whole.'
              : 'What waits, was decided or has expired is kept here.'}
          </p>
        </EmptyState>
      ) : null}
      {rows.length === 0 ? null : (
        <Panel flush>
          <DataTable caption="Approvals" columns={columnsFor(people)} rows={rows} rowKey={({ id }) => id} />
        </Panel>
      )}
      <OlderOnes query={history} className={styles['clear']} />
    </>
  );
}

function stateOf(named: string | null): ApprovalState | undefined {
  return named !== null && Object.hasOwn(STATES, named) ? (named as ApprovalState) : undefined;
}
