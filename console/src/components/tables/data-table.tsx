import type { CSSProperties, ReactNode } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand right. */
  readonly align?: 'end';
  /** Below 40 rem of width it stands under the row, after its title. */
  readonly wide?: boolean;
  /** False leaves it out, e.g. actions that are not the caller's. Default true. */
  readonly shown?: boolean;
}

interface DataTableProps<Row> {
  /** What it lists, for screen readers. */
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A plain table; the first column names the row. */
export function DataTable<Row>({ caption, columns: known, rows, rowKey }: DataTableProps<Row>) {
  const columns = known.filter(({ shown }) => shown !== false);
  const style = { '--columns': columns.filter(({ wide }) => wide !== true).length } as CSSProperties;
  // the roles are said because a row that is laid out as a grid loses them
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: not redundant where the style lays the element out anew
    <table className={styles['table']} style={style} role="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ key, title, align, wide }) => (
            <th key={key} scope="col" role="columnheader" data-align={align} data-wide={wide}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map(({ key, title, cell, align, wide }, index) =>
              index === 0 ? (
                <th key={key} scope="row" role="rowheader" data-align={align}>
                  {cell(row)}
                </th>
              ) : (
                <td key={key} role="cell" data-align={align} data-wide={wide} data-title={title}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}
