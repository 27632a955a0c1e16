import type { Skipped } from '../../../../gateway/src/operations/index.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { FilteredRows } from '../../components/tables/filtered-rows.tsx';
import { visibleText } from '../../components/visible-text.ts';

const COLUMNS: ReadonlyArray<Column<Skipped>> = [
  {
    key: 'place',
    title: 'Operation',
    cell: ({ method, path }) => <code>{visibleText(`${method} ${path}`)}</code>,
  },
  { key: 'reason', title: 'Why', cell: ({ reason }) => visibleText(reason) },
];

interface ReportSkippedProps {
  readonly skipped: readonly Skipped[];
  readonly total: number;
}

/** What did not become a tool, and why. */
export function ReportSkipped({ skipped, total }: ReportSkippedProps) {
  if (skipped.length === 0)
    return (
      <EmptyState title="Nothing was left out">
        <p>Every operation of this source became a tool.</p>
      </EmptyState>
    );
  return (
    <FilteredRows
      what="operations"
      one="operation"
      rows={skipped}
      wordsOf={({ method, path, reason }) => `${method} ${path} ${reason}`}
      total={total}
    >
      {(shown) => (
        <Panel flush>
          <DataTable
            caption="Operations that were left out"
            columns={COLUMNS}
            rows={shown}
            rowKey={({ method, path, operation }) => `${method} ${path} ${operation ?? ''}`}
          />
        </Panel>
      )}
    </FilteredRows>
  );
}
