import { Link } from 'wouter';
import type { CompiledTool } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { AccessBadge } from '../../components/access-badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { FilteredRows } from '../../components/tables/filtered-rows.tsx';
import { visibleText } from '../../components/visible-text.ts';

const COLUMNS: ReadonlyArray<Column<CompiledTool>> = [
  {
    key: 'tool',
    title: 'Tool',
    cell: ({ tool, withheld }) => (
      <>
        <Link href={`/tools/${encodeURIComponent(tool)}`}>{visibleText(tool)}</Link>
        {withheld ? (
          <>
            {' '}
            <Badge tone="warn">withheld</Badge>
          </>
        ) : null}
      </>
    ),
  },
  { key: 'access', title: 'Access', cell: ({ access }) => <AccessBadge access={access} /> },
  {
    key: 'request',
    title: 'Request',
    wide: true,
    cell: ({ method, path, operation }) => (
      <code>{visibleText(method === undefined ? operation : `${method} ${path}`)}</code>
    ),
  },
];

interface ReportToolsProps {
  readonly tools: readonly CompiledTool[];
  readonly total: number;
}

/** What was compiled. */
export function ReportTools({ tools, total }: ReportToolsProps) {
  if (tools.length === 0) return <EmptyState title="No tools" />;
  return (
    <FilteredRows
      what="tools"
      one="tool"
      rows={tools}
      wordsOf={({ tool, operation, path = '' }) => `${tool}\n${operation}\n${path}`}
      total={total}
    >
      {(shown) => (
        <Panel flush>
          <DataTable caption="Compiled tools" columns={COLUMNS} rows={shown} rowKey={({ tool }) => tool} />
        </Panel>
      )}
    </FilteredRows>
  );
}
