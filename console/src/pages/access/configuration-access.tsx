import { useState } from 'react';
import type {
  MatrixRow,
  MatrixSource,
} from '../../../../gateway/src/server/http/admin/access-administration.ts';
import { Badge } from '../../components/badge.tsx';
import { CONNECTION_WORDS } from '../../components/connection-words.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Parts, Stack } from '../../components/layout/stack.tsx';
import { MakeATeam } from '../../components/people/make-a-team.tsx';
import { count } from '../../components/quantities.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import styles from './access.module.css';
import { CellFacts } from './cell-panel.tsx';
import { LevelSign } from './level-sign.tsx';
import { OperationList } from './operation-list.tsx';
import { useFeatures, useMatrix } from './queries.ts';

/** A gateway without users: what its configuration lets its one caller do, to read only. */
export function ConfigurationAccess() {
  const matrix = useMatrix(undefined, '');
  const [opened, setOpened] = useState<MatrixSource>();
  const page = matrix.data?.pages[0];
  const row = page?.rows[0];
  return (
    <>
      <PageHeader title="Access">
        This gateway has one caller, its owner. What the configuration connects may be used; dangerous
        operations never. Calls that must be agreed to still wait for a person.
      </PageHeader>
      <QueryState query={matrix} what="access" title="Access could not be read" />
      <Stack>
        {page === undefined || row === undefined ? null : (
          <Panel title="In force, by source" flush>
            {page.sources.length === 0 ? (
              <EmptyState title="No sources yet">
                <p>What is added on the page Sources shows here.</p>
              </EmptyState>
            ) : (
              <SourceTable sources={page.sources} row={row} onOpen={setOpened} />
            )}
          </Panel>
        )}
        <Features />
        <MakeATeam />
      </Stack>
      {opened === undefined || row === undefined ? null : (
        <SourceDialog source={opened} row={row} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

interface SourceTableProps {
  readonly sources: readonly MatrixSource[];
  readonly row: MatrixRow;
  readonly onOpen: (source: MatrixSource) => void;
}

function SourceTable({ sources, row, onOpen }: SourceTableProps) {
  const cellOf = (source: string) => row.cells.find((one) => one.source === source);
  return (
    <DataTable
      caption="Access by source"
      rows={sources}
      rowKey={({ name }) => name}
      columns={[
        {
          key: 'source',
          title: 'Source',
          cell: (source) => (
            <button type="button" className={styles['link']} onClick={() => onOpen(source)}>
              {source.name}
            </button>
          ),
        },
        { key: 'category', title: 'Category', wide: true, cell: ({ category }) => category },
        {
          key: 'level',
          title: 'Level',
          cell: ({ name }) => <LevelSign level={cellOf(name)?.level ?? 'none'} />,
        },
        {
          key: 'account',
          title: 'Account',
          wide: true,
          cell: ({ name }) => CONNECTION_WORDS[cellOf(name)?.connection ?? 'missing'],
        },
        {
          key: 'operations',
          title: 'Offered',
          align: 'end',
          wide: true,
          cell: ({ name, operations }) => `${count(cellOf(name)?.visible ?? 0)} of ${count(operations)}`,
        },
      ]}
    />
  );
}

function SourceDialog({
  source,
  row,
  onClose,
}: {
  readonly source: MatrixSource;
  readonly row: MatrixRow;
  readonly onClose: () => void;
}) {
  const cell = row.cells.find((one) => one.source === source.name);
  return (
    <Dialog title={source.name} onClose={onClose}>
      <Parts>
        {cell === undefined ? null : <CellFacts cell={cell} person={row} />}
        <OperationList source={source.name} />
      </Parts>
    </Dialog>
  );
}

/** Only where there are some: most gateways have none. */
function Features() {
  const features = useFeatures();
  if (features.data === undefined || features.data.length === 0) return null;
  return (
    <Panel title="Features" flush>
      <DataTable
        caption="Features"
        rows={features.data}
        rowKey={({ name }) => name}
        columns={[
          { key: 'name', title: 'Feature', cell: ({ name }) => name },
          {
            key: 'enabled',
            title: 'State',
            cell: ({ enabled }) => (
              <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'on' : 'off'}</Badge>
            ),
          },
          {
            key: 'description',
            title: 'What it holds',
            wide: true,
            cell: ({ description }) => description ?? '',
          },
        ]}
      />
    </Panel>
  );
}
