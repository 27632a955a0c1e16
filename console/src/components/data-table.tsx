import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand right. */
  readonly align?: 'end';
  /** Not shown below 40 rem of width. */
  readonly wide?: boolean;
}

interface DataTableProps<Row> {
  /** What it lists, for screen readers. */
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A plain table; the first column names the row. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <table className={styles['table']}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, title, align, wide }) => (
            <th key={key} scope="col" data-align={align} data-wide={wide}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, cell, align, wide }, index) =>
              index === 0 ? (
                <th key={key} scope="row" data-align={align} data-wide={wide}>
                  {cell(row)}
                </th>
              ) : (
                <td key={key} data-align={align} data-wide={wide}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
