import type { ToolExplanation } from '../../../../gateway/src/operations/index.ts';
import { Badge } from '../badge.tsx';
import { WithCode } from '../with-code.tsx';
import { DataTable } from './data-table.tsx';
import { Under } from './under.tsx';

interface CheckTableProps {
  readonly tool: string;
  readonly checks: ToolExplanation['checks'];
}

/** Every check that decides about a tool: what there is, what it takes, and where it fails what would change it. */
export function CheckTable({ tool, checks }: CheckTableProps) {
  return (
    <DataTable
      caption={`Checks of ${tool}`}
      rows={checks}
      rowKey={({ check }) => check}
      columns={[
        {
          key: 'check',
          title: 'Check',
          cell: ({ check, passes }) => (
            <Badge tone={passes ? 'good' : 'bad'}>
              {check}
              <span className="visually-hidden">{passes ? ', passes' : ', fails'}</span>
            </Badge>
          ),
        },
        { key: 'value', title: 'Has', wide: true, cell: ({ value }) => value },
        {
          key: 'needed',
          title: 'Needs',
          wide: true,
          cell: ({ needed, passes, change }) => (
            <>
              {needed}
              {passes ? null : (
                <Under>
                  <WithCode text={change} />
                </Under>
              )}
            </>
          ),
        },
      ]}
    />
  );
}
