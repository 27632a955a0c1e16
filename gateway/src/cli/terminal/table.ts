import { printable } from '../../operations/text/printable.ts';
import { painter, type Terminal } from './terminal.ts';

/** One column of a table: its heading and what a row shows there. */
export type Column<T> = readonly [heading: string, text: (row: T) => string | null | undefined];

/** Rows under headings, as wide as their longest cell; nothing but the note where there is none. */
export function showTable<T>(
  rows: readonly T[],
  columns: ReadonlyArray<Column<T>>,
  terminal: Terminal,
  none = 'None.',
): void {
  if (rows.length === 0) {
    terminal.note(none);
    return;
  }
  const cells = rows.map((row) => columns.map(([, text]) => printable(text(row) ?? '')));
  const widths = columns.map(([heading], index) =>
    Math.max(heading.length, ...cells.map((row) => row[index]!.length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join('  ')
      .trimEnd();
  terminal.out(painter(terminal)('bold', line(columns.map(([heading]) => heading))));
  for (const row of cells) terminal.out(line(row));
}

/** Members of one record, a line each. */
export function showRecord(record: object, terminal: Terminal): void {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  for (const [name, value] of entries) {
    const text = value === null ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    terminal.out(`${name.padEnd(width)}  ${printable(text)}`);
  }
}
