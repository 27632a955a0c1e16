import { count, duration } from '../../components/quantities.ts';
import type { Column } from '../../components/tables/data-table.tsx';
import type { UsageRow } from './queries.ts';

/** What every table of usage counts. */
export const NUMBERS: ReadonlyArray<Column<UsageRow>> = [
  { key: 'calls', title: 'Calls', align: 'end', cell: ({ calls }) => count(calls) },
  { key: 'errors', title: 'Failed', align: 'end', cell: ({ errors }) => count(errors) },
  { key: 'mean', title: 'Mean', align: 'end', cell: ({ meanMs }) => duration(meanMs) },
  { key: 'max', title: 'Longest', align: 'end', wide: true, cell: ({ maxMs }) => duration(maxMs) },
  {
    key: 'total',
    title: 'Together',
    align: 'end',
    wide: true,
    cell: ({ durationMs }) => duration(durationMs),
  },
];
