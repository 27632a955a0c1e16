import { Link } from 'wouter';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { duration } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { type EndedCall, useCalls } from './queries.ts';

/** The last calls of a tool; each leads to its story. */
export function CallHistory({ name }: { readonly name: string }) {
  const { nameOf } = usePeople();
  const calls = useCalls(name);
  const { data, isSuccess } = calls;
  if (!isSuccess) return <QueryState query={calls} what="calls" title="The calls could not be read" />;
  if (data.length === 0)
    return <EmptyState title="It was not called yet">Calls by any client appear here.</EmptyState>;
  return (
    <Panel
      flush
      title="Last calls"
      actions={<Link href={`/calls?tool=${encodeURIComponent(name)}`}>All calls</Link>}
    >
      <DataTable
        caption={`Last calls of ${name}`}
        rows={data}
        rowKey={({ sequence }) => String(sequence)}
        columns={[
          {
            key: 'time',
            title: 'When',
            cell: ({ call, time }) => (
              <Link href={`/calls/${encodeURIComponent(call)}`}>
                <time dateTime={time}>{new Date(time).toLocaleString()}</time>
              </Link>
            ),
          },
          {
            key: 'state',
            title: 'Result',
            cell: (event) => <Result of={event} />,
          },
          {
            key: 'duration',
            title: 'Took',
            align: 'end',
            cell: ({ durationMs }) => (durationMs === undefined ? '' : duration(durationMs)),
          },
          { key: 'who', title: 'By', wide: true, cell: ({ principal }) => nameOf(principal) },
        ]}
      />
    </Panel>
  );
}

/** In the words of the page Calls. */
function Result({ of: { type, code, dryRun } }: { readonly of: EndedCall }) {
  if (code === 'approval_required') return <Badge tone="warn">asked</Badge>;
  if (type === 'call-failed') return <Badge tone="bad">{code ?? 'failed'}</Badge>;
  return dryRun === true ? <Badge>dry run</Badge> : <Badge tone="good">done</Badge>;
}
