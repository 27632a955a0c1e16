import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { AccessLevel } from '../../../../gateway/src/operations/access-level.ts';
import type {
  MatrixRow,
  MatrixSource,
} from '../../../../gateway/src/server/http/admin/access-administration.ts';
import { count, counted } from '../../components/quantities.ts';
import { isEdited } from './edits.ts';
import { type Place, placeAfter } from './grid-keys.ts';
import { LevelSign } from './level-sign.tsx';
import styles from './matrix-grid.module.css';
import type { MatrixProps } from './matrix-props.ts';

/**
 * People by sources, the organisation first. One tab stop; arrow keys go between cells, Enter opens one. Column 0 are
 * the people themselves.
 */
export function MatrixGrid({ matrix, rows, changes, onOpen }: MatrixProps) {
  const { sources } = matrix;
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<Place>({ row: 0, column: 1 });
  const size = { rows: rows.length + 1, columns: sources.length + 1 };
  const focused = { row: Math.min(at.row, size.rows - 1), column: Math.min(at.column, size.columns - 1) };

  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, event.ctrlKey || event.metaKey, focused, size);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    const row = table.current?.tBodies[0]?.rows[next.row];
    const button = row?.cells[next.column]?.querySelector('button');
    button?.focus();
    // a sticky column and row lie over what scrolls under them
    button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const cell = (row: number, column: number) => ({
    tabIndex: focused.row === row && focused.column === column ? 0 : -1,
    onFocus: () => setAt({ row, column }),
  });

  return (
    <div className={styles['scroll']}>
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are gone through by arrow keys
        role="grid"
        aria-label="Access of people to sources"
        aria-rowcount={matrix.total + 2}
        className={styles['grid']}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            <th scope="col" className={styles['corner']}>
              Person
            </th>
            {sources.map(({ name, category }) => (
              <th key={name} scope="col">
                <span className={styles['source']}>{name}</span>
                <span className={styles['soft']}>{category}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className={styles['organisation']}>
            <th scope="row">
              <button type="button" {...cell(0, 0)} onClick={() => onOpen({ user: null })}>
                <span className={styles['name']}>Organisation</span>
                <span className={styles['soft']}>what it allows at most</span>
              </button>
            </th>
            {sources.map((source, index) => (
              <GridCell
                key={source.name}
                edited={isEdited(changes, null, source)}
                label={`Organisation, ${source.name}`}
                level={source.allowed}
                place={cell(0, index + 1)}
                onOpen={() => onOpen({ user: null, source: source.name })}
              >
                {counted(source.operations, 'operation')}
              </GridCell>
            ))}
          </tr>
          {rows.map((row, line) => (
            <tr key={row.id}>
              <th scope="row">
                <button type="button" {...cell(line + 1, 0)} onClick={() => onOpen({ user: row.id })}>
                  <span className={styles['name']}>{row.name}</span>
                  <span className={styles['soft']}>
                    {row.status === 'disabled' ? 'disabled' : row.held.join(', ') || 'no role'}
                  </span>
                </button>
              </th>
              {sources.map((source, index) => (
                <PersonCell
                  key={source.name}
                  row={row}
                  source={source}
                  edited={isEdited(changes, row.id, source)}
                  place={cell(line + 1, index + 1)}
                  onOpen={() => onOpen({ user: row.id, source: source.name })}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellPlace {
  readonly tabIndex: number;
  readonly onFocus: () => void;
}

interface GridCellProps {
  readonly label: string;
  readonly level: AccessLevel | null;
  readonly edited: boolean;
  readonly place: CellPlace;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

function GridCell({ label, level, edited, place, onOpen, children }: GridCellProps) {
  return (
    <td data-edited={edited}>
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

function PersonCell({
  row,
  source,
  ...rest
}: {
  readonly row: MatrixRow;
  readonly source: MatrixSource;
  readonly edited: boolean;
  readonly place: CellPlace;
  readonly onOpen: () => void;
}) {
  const cell = row.cells.find((one) => one.source === source.name);
  return (
    <GridCell label={`${row.name}, ${source.name}`} level={cell?.level ?? 'none'} {...rest}>
      {count(cell?.visible ?? 0)} of {count(source.operations)}
      {cell === undefined || cell.connection === 'connected' ? '' : ', no account'}
    </GridCell>
  );
}
