import { type ReactNode, useRef, useState } from 'react';
import { type PageKey, usePageKeys, useSearchKey } from '../../app/page-keys.ts';
import { Field } from '../forms/field.tsx';
import { count, counted } from '../quantities.ts';
import { EmptyState } from '../states/empty-state.tsx';
import styles from './filtered-rows.module.css';
import { Pieces } from './pieces.tsx';

interface FilteredRowsProps<Row> {
  /** In the plural: "tools". */
  readonly what: string;
  /** One of them: "tool". */
  readonly one: string;
  readonly rows: readonly Row[];
  /** What the text is looked for in. */
  readonly wordsOf: (row: Row) => string;
  /** How many there are without the filter. */
  readonly total: number;
  /** Other filters, beside the text. */
  readonly more?: ReactNode;
  /** So many are looked through without a filter. Default: none. */
  readonly few?: number;
  /** It stands in a panel that has no room at its sides. */
  readonly inset?: boolean;
  /** Stands for the list where there is nothing to filter. */
  readonly none?: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

const KEYS: readonly PageKey[] = [['/', 'To the filter']];
const NO_KEYS: readonly PageKey[] = [];

/** A list with a field that narrows it, drawn piece by piece. */
export function FilteredRows<Row>({
  what,
  one,
  rows: all,
  wordsOf,
  total,
  more,
  none,
  few = 0,
  inset = false,
  children,
}: FilteredRowsProps<Row>) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const rows = all.filter((row) => wordsOf(row).toLowerCase().includes(wanted));
  const search = useRef<HTMLInputElement>(null);
  useSearchKey(search);
  // not taken away from under what is written in it
  const hasFilter = total > few || text !== '';
  usePageKeys(hasFilter ? KEYS : NO_KEYS);
  return (
    <>
      {hasFilter ? (
        <div className={styles['filters']} data-inset={inset}>
          <Field label={`Filter ${what}`} quiet>
            <input
              ref={search}
              type="search"
              value={text}
              placeholder={`Filter ${what}`}
              onChange={({ target }) => setText(target.value)}
            />
          </Field>
          {more}
          <p className={styles['soft']} role="status">
            {rows.length === total
              ? counted(total, one, what)
              : `${count(rows.length)} of ${counted(total, one, what)}`}
          </p>
        </div>
      ) : null}
      {rows.length === 0 ? (
        ((wanted === '' ? none : undefined) ?? <EmptyState title={`No ${what} fit the filter`} />)
      ) : (
        <Pieces rows={rows}>{children}</Pieces>
      )}
    </>
  );
}
