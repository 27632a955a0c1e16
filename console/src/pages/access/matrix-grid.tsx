import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { counted } from '../../components/quantities.ts';
import { isEdited } from './edits.ts';
import { type Place, placeAfter } from './grid-keys.ts';
import styles from './matrix-grid.module.css';
import type { MatrixProps } from './matrix-props.ts';
import { Cells, GridCell, PersonCell, RowGap } from './matrix-row.tsx';
import { useMatrixWindow } from './use-matrix-window.ts';

interface MatrixGridProps extends MatrixProps {
  /** Told when the last of the people comes into view. */
  readonly onEnd: () => void;
}

/** So near to the end more people are asked for, rows. */
const NEAR_END = 15;

/**
 * People by sources, the organisation first; what is in view is drawn. One tab stop; arrow keys go between cells, Enter
 * opens one. Row 0 is the organisation, column 0 are the people themselves.
 */
export function MatrixGrid({ matrix, rows, changes, onOpen, onEnd }: MatrixGridProps) {
  const { sources } = matrix;
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Place>({ row: 0, column: 1 });
  /** A key leads to it; it is drawn with the next commit. */
  const wanted = useRef(false);
  const size = { rows: rows.length + 1, columns: sources.length + 1 };
  const focused = { row: Math.min(at.row, size.rows - 1), column: Math.min(at.column, size.columns - 1) };
  const drawn = useMatrixWindow(box, { rows: size.rows, columns: sources.length }, focused);

  const isNearEnd = drawn.last >= rows.length - NEAR_END;
  useEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, onEnd]);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    const button = box.current?.querySelector<HTMLElement>('tbody button[tabindex="0"]');
    button?.focus({ preventScroll: true });
    // a sticky column and row lie over what scrolls under them
    button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, event.ctrlKey || event.metaKey, focused, size);
    if (next === undefined) return;
    event.preventDefault();
    wanted.current = true;
    setAt(next);
  };
  const cell = (row: number, column: number) => ({
    tabIndex: focused.row === row && focused.column === column ? 0 : -1,
    onFocus: () => setAt({ row, column }),
  });

  return (
    <div ref={box} className={styles['scroll']}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are gone through by arrow keys
        role="grid"
        aria-label="Access of people to sources"
        aria-rowcount={matrix.total + 2}
        aria-colcount={size.columns}
        className={styles['grid']}
        style={{ width: drawn.width }}
        onKeyDown={onKeyDown}
      >
        <colgroup>
          <col className={styles['people']} />
          <col span={sources.length} />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" aria-colindex={1} className={styles['corner']}>
              Person
            </th>
            <Cells
              columns={drawn.columns}
              count={sources.length}
              cell={(index) => (
                <th key={index} scope="col" aria-colindex={index + 2}>
                  <span className={styles['source']}>{sources[index]!.name}</span>
                  <span className={styles['soft']}>{sources[index]!.category}</span>
                </th>
              )}
            />
          </tr>
        </thead>
        <tbody>
          {drawn.rows.flatMap(({ index, gap }) => {
            const row = rows[index - 1];
            const name = row === undefined ? 'Organisation' : row.name;
            const held = row?.status === 'disabled' ? 'disabled' : row?.held.join(', ') || 'no role';
            return [
              <RowGap key={`before ${index}`} height={gap} columns={size.columns} />,
              <tr
                key={row?.id ?? ''}
                ref={drawn.measure}
                data-index={index}
                aria-rowindex={index + 2}
                className={row === undefined ? styles['organisation'] : undefined}
              >
                <th scope="row" aria-colindex={1}>
                  <button type="button" {...cell(index, 0)} onClick={() => onOpen({ user: row?.id ?? null })}>
                    <span className={styles['name']}>{name}</span>
                    <span className={styles['soft']}>
                      {row === undefined ? 'what it allows at most' : held}
                    </span>
                  </button>
                </th>
                <Cells
                  columns={drawn.columns}
                  count={sources.length}
                  cell={(column) => {
                    const source = sources[column]!;
                    const shared = {
                      column: column + 2,
                      edited: isEdited(changes, row?.id ?? null, source),
                      place: cell(index, column + 1),
                      onOpen: () => onOpen({ user: row?.id ?? null, source: source.name }),
                    };
                    return row === undefined ? (
                      <GridCell
                        key={source.name}
                        label={`Organisation, ${source.name}`}
                        level={source.allowed}
                        {...shared}
                      >
                        {counted(source.operations, 'operation')}
                      </GridCell>
                    ) : (
                      <PersonCell key={source.name} row={row} source={source} {...shared} />
                    );
                  }}
                />
              </tr>,
            ];
          })}
          <RowGap height={drawn.rest} columns={size.columns} />
        </tbody>
      </table>
    </div>
  );
}
