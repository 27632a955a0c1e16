import { useSearchParams } from 'wouter';
import { useSession } from '../../api/session.ts';
import { filled } from '../../components/filled.ts';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { OlderOnes } from '../../components/tables/older-ones.tsx';
import { Under } from '../../components/tables/under.tsx';
import { type ChangeFilter, filterIn, isFiltered } from './change-filter.ts';
import { ChangeFilters } from './change-filters.tsx';
import { aboutOf, changeWords } from './change-words.ts';
import styles from './changes.module.css';
import { type ChangeEvent, useAdminChanges, useTeam } from './queries.ts';

/** Who changed people, keys, levels, accounts and features, and when. */
export default function ChangesPage() {
  const [query, setQuery] = useSearchParams();
  const filter = filterIn(query);
  const people = usePeople();
  const { keys, accounts, organisations, isReady } = useTeam();
  const ofAll = useSession().data?.can.operate === true;
  const change = (changes: Partial<ChangeFilter>) =>
    setQuery(filled({ ...filter, ...changes }), { replace: true });
  const columns: ReadonlyArray<Column<ChangeEvent>> = [
    { key: 'change', title: 'Change', cell: (event) => changeWords(event, people) },
    {
      key: 'about',
      title: 'Concerns',
      wide: true,
      cell: (event) => aboutOf(event, people, { ofAll, keys, accounts }),
    },
    {
      key: 'by',
      title: 'Done by',
      wide: true,
      cell: ({ principal }) => (principal === 'local' ? 'the operator' : people.nameOf(principal)),
    },
    { key: 'time', title: 'When', wide: true, cell: ({ time }) => <Moment at={time} /> },
  ];
  return (
    <>
      <PageHeader title="Changes">
        What was changed of people, keys, levels, accounts and features: by whom and when, newest first.
      </PageHeader>
      <ChangeFilters filter={filter} people={people} organisations={organisations} onChange={change} />
      {isReady || filter.about === '' ? (
        <ChangeList
          filter={filter}
          keys={keys.filter(({ user }) => user === filter.about).map(({ id }) => id)}
          columns={columns}
        />
      ) : null}
    </>
  );
}

interface ChangeListProps {
  readonly filter: ChangeFilter;
  readonly keys: readonly string[];
  readonly columns: ReadonlyArray<Column<ChangeEvent>>;
}

function ChangeList({ filter, keys, columns }: ChangeListProps) {
  const changes = useAdminChanges(filter, keys);
  const { data } = changes;
  return (
    <>
      <QueryState query={changes} what="changes" title="The changes could not be read" />
      {data?.length === 0 ? (
        <EmptyState title={isFiltered(filter) ? 'Nothing fits these filters' : 'Nothing was changed yet'}>
          <p>Changes are kept as long as events are.</p>
        </EmptyState>
      ) : null}
      {data === undefined || data.length === 0 ? null : (
        <Panel flush>
          <DataTable
            caption="Changes"
            columns={columns}
            rows={data}
            rowKey={({ sequence }) => String(sequence)}
          />
        </Panel>
      )}
      <OlderOnes query={changes} className={styles['more']} />
    </>
  );
}

const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The weekday is what is remembered. */
function Moment({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {day.format(date)}
      <Under>{clock.format(date)}</Under>
    </time>
  );
}
