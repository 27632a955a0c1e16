import { useState } from 'react';
import { count, counted } from '../../components/quantities.ts';
import { MoreButton } from '../../components/tables/more-button.tsx';
import { visibleText } from '../../components/visible-text.ts';
import styles from './artifacts.module.css';
import type { Table } from './table-of.ts';

const SHOWN = 200;
const CUT = 300;

/** Rows as a table, some at a time. */
export function TableView({
  table: { columns, rows },
  label,
}: {
  readonly table: Table;
  readonly label: string;
}) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={styles['scroll']} tabIndex={0} aria-label={label}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Row</span>
              </th>
              {columns.map((name, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                <th key={index} scope="col">
                  {visibleText(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity and never move
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                {columns.map((_, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={column}>{cut(row[column] ?? '')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles['more']}>
        {rows.length > shown ? (
          <MoreButton size="s" onClick={() => setShown(shown * 3)}>
            Show more
          </MoreButton>
        ) : null}
        <span>
          {count(Math.min(shown, rows.length))} of {counted(rows.length, 'row')}
        </span>
      </p>
    </>
  );
}

function cut(text: string): string {
  return visibleText(text.length > CUT ? `${text.slice(0, CUT)}…` : text);
}
