import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorNote, Refusal } from '../../components/states/error-note.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { Under } from '../../components/tables/under.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { OutsideLink } from './outside-link.tsx';
import type { ShownReport } from './queries.ts';

/** What the source's own tool `list_connections` answers. */
interface AzureConnection {
  readonly name: string;
  readonly api: string;
  readonly displayName?: string;
  readonly status: string;
  readonly error?: string;
  readonly problem?: string;
  readonly tools: number;
}

/** API connections of a resource group, and the link by which a person signs one in. Asked by the source's own tools. */
export function AzureConnections({ report }: { readonly report: ShownReport }) {
  const { source } = report;
  const toolOf = (operation: string) =>
    report.compiled?.find((one) => one.operation === operation && !one.withheld)?.tool;
  const list = toolOf('list_connections');
  const consent = toolOf('get_consent_link');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['sources', 'azure', source.name, source.tools],
    enabled: list !== undefined,
    queryFn: async ({ signal }) =>
      (await callTool<{ connections: readonly AzureConnection[] }>(list!, {}, signal)).connections,
  });
  if (list === undefined) return null;
  const columns: ReadonlyArray<Column<AzureConnection>> = [
    {
      key: 'name',
      title: 'Connection',
      cell: ({ name, api: connector, displayName }) => (
        <>
          {visibleText(displayName ?? name)}
          <Under>{visibleText(`${name} · ${connector}`)}</Under>
        </>
      ),
    },
    {
      key: 'status',
      title: 'State',
      cell: ({ status, error: said, problem }) => (
        <>
          <Badge tone={status === 'Connected' ? 'good' : 'warn'}>{visibleText(status)}</Badge>
          {said === undefined && problem === undefined ? null : (
            <Under>{visibleText(said ?? problem ?? '')}</Under>
          )}
        </>
      ),
    },
    { key: 'tools', title: 'Tools', align: 'end', wide: true, cell: ({ tools }) => tools },
    {
      key: 'actions',
      title: 'Sign in',
      align: 'end',
      cell: ({ name }) => (consent === undefined ? null : <Consent tool={consent} connection={name} />),
    },
  ];
  return (
    <Panel
      title="Connections of the resource group"
      flush
      actions={
        <Button size="s" onClick={() => void refetch()}>
          Ask Azure again
        </Button>
      }
    >
      {isPending ? <Loading what="connections" /> : null}
      {error === null ? null : <ErrorNote error={error} title="Azure was not asked" />}
      {data?.length === 0 ? (
        <EmptyState title="The resource group has no connections">
          <p>The tool put_connection makes one.</p>
        </EmptyState>
      ) : null}
      {data === undefined || data.length === 0 ? null : (
        <DataTable caption="Connections" columns={columns} rows={data} rowKey={({ name }) => name} />
      )}
    </Panel>
  );
}

function Consent({ tool, connection }: { readonly tool: string; readonly connection: string }) {
  const ask = useMutation({
    mutationFn: () => callTool<{ link: string }>(tool, { connectionName: connection }),
  });
  if (ask.data !== undefined)
    return <OutsideLink href={ask.data.link}>Sign in at Microsoft (for ten minutes)</OutsideLink>;
  return (
    <>
      <Button
        size="s"
        waits={ask.isPending}
        aria-label={`Get a link to sign ${connection} in`}
        onClick={() => ask.mutate()}
      >
        {ask.isPending ? 'Asking…' : 'Get a link'}
      </Button>
      <Refusal of={ask} />
    </>
  );
}

/** The structured answer of a tool that is one operation, whatever the topology lists. */
async function callTool<T>(tool: string, args: object, signal?: AbortSignal): Promise<T> {
  const { structured } = await api<{ structured: T }>('POST', `/tools/${encodeURIComponent(tool)}/call`, {
    body: { arguments: args, topology: 'flat' },
    ...(signal === undefined ? {} : { signal }),
  });
  return structured;
}
