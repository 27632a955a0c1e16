import { Button } from '../../components/button.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { Pieces } from '../../components/tables/pieces.tsx';
import { type UsageFilter, type UsageGroup, type UsageRow, useUsage } from './queries.ts';
import styles from './usage.module.css';
import { NUMBERS } from './usage-columns.tsx';

export type Grouped = Exclude<UsageGroup, 'day' | 'organisation'>;

interface GroupUsageProps {
  readonly filter: UsageFilter;
  readonly group: Grouped;
  /** One of them alone, in everything on the page. */
  readonly onOnly: (key: string) => void;
}

const TITLES: Readonly<Record<Grouped, string>> = {
  source: 'Source',
  user: 'Caller',
  operation: 'Operation',
};

/** Who or what the calls were, most first. */
export function GroupUsage({ filter, group, onOnly }: GroupUsageProps) {
  const usage = useUsage(filter, group);
  const { data } = usage;
  const { nameOf } = usePeople();
  if (data === undefined)
    return <QueryState query={usage} what="the usage" title="The usage could not be read" />;
  if (data.length === 0) return <EmptyState title="No calls in these days" />;
  const most = Math.max(...data.map(({ calls }) => calls));
  const textOf = ({ key }: UsageRow) => (key !== null && group === 'user' ? nameOf(key) : key);
  const columns: ReadonlyArray<Column<UsageRow>> = [
    {
      key: 'name',
      title: TITLES[group],
      cell: (row) => <Name row={row} text={textOf(row)} most={most} onOnly={onOnly} />,
    },
    ...NUMBERS,
  ];
  return (
    // of another group from its beginning again
    <Pieces key={group} rows={data}>
      {(shown) => (
        <DataTable
          caption={`Usage by ${TITLES[group].toLowerCase()}`}
          columns={columns}
          rows={shown}
          rowKey={({ key }) => String(key)}
        />
      )}
    </Pieces>
  );
}

/** Its bar says the number of calls again. */
function Name({
  row: { key, calls, errors },
  text,
  most,
  onOnly,
}: {
  readonly row: UsageRow;
  readonly text: string | null;
  readonly most: number;
  readonly onOnly: (key: string) => void;
}) {
  return (
    <span className={styles['name']}>
      {key === null ? (
        'Nobody in particular'
      ) : (
        <Button
          variant="quiet"
          size="s"
          className={styles['only']}
          title={`Only ${key}`}
          onClick={() => onOnly(key)}
        >
          {text}
        </Button>
      )}
      <svg className={styles['bar']} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect className={styles['barCalls']} width={(100 * calls) / most} height="4" />
        <rect className={styles['barErrors']} width={(100 * errors) / most} height="4" />
      </svg>
    </span>
  );
}
