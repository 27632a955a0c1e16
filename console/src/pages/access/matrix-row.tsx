import type { ReactNode } from 'react';
import type { AccessLevel } from '../../../../gateway/src/operations/access-level.ts';
import type {
  MatrixRow,
  MatrixSource,
} from '../../../../gateway/src/server/http/admin/access-administration.ts';
import { count } from '../../components/quantities.ts';
import { LevelSign } from './level-sign.tsx';
import styles from './matrix-grid.module.css';
import type { Drawn } from './use-matrix-window.ts';

/** What a button of the grid needs to be one of its stops. */
export interface CellPlace {
  readonly tabIndex: number;
  readonly onFocus: () => void;
}

/** Rows that are not drawn, or none. */
export function RowGap({ height, columns }: { readonly height: number; readonly columns: number }) {
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus
    <tr aria-hidden="true" className={styles['gap']} style={{ height }}>
      <td colSpan={columns} />
    </tr>
  );
}

/** Cells of the columns that are drawn, and what keeps the place of the others. */
export function Cells({
  columns,
  count: all,
  cell,
}: {
  readonly columns: readonly Drawn[];
  readonly count: number;
  readonly cell: (column: number) => ReactNode;
}) {
  const rest = all - 1 - (columns.at(-1)?.index ?? -1);
  return (
    <>
      {columns.flatMap(({ index, skipped }) => [
        skipped === 0 ? null : <CellGap key={`before ${index}`} columns={skipped} />,
        cell(index),
      ])}
      {rest === 0 ? null : <CellGap columns={rest} />}
    </>
  );
}

function CellGap({ columns }: { readonly columns: number }) {
  return <td aria-hidden="true" className={styles['gap']} colSpan={columns} />;
}

interface GridCellProps {
  readonly label: string;
  /** Among all of its row, from 1. */
  readonly column: number;
  readonly level: AccessLevel | null;
  readonly edited: boolean;
  readonly place: CellPlace;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

export function GridCell({ label, column, level, edited, place, onOpen, children }: GridCellProps) {
  return (
    <td data-edited={edited} aria-colindex={column}>
      <button type="button" {...place} onClick={onOpen}>
        <span className="visually-hidden">{label}: </span>
        <LevelSign level={level} />{' '}
        <span className={styles['soft']}>
          {children}
          {edited ? ', edited' : ''}
        </span>
      </button>
    </td>
  );
}

interface PersonCellProps extends Omit<GridCellProps, 'label' | 'level' | 'children'> {
  readonly row: MatrixRow;
  readonly source: MatrixSource;
}

export function PersonCell({ row, source, ...rest }: PersonCellProps) {
  const cell = row.cells.find((one) => one.source === source.name);
  return (
    <GridCell label={`${row.name}, ${source.name}`} level={cell?.level ?? 'none'} {...rest}>
      {count(cell?.visible ?? 0)} of {count(source.operations)}
      {cell === undefined || cell.connection === 'connected' ? '' : ', no account'}
    </GridCell>
  );
}
