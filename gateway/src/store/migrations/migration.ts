/** The names of column types that differ between the dialects. */
export interface ColumnTypes {
  /** A 64-bit integer. */
  readonly big: string;
  readonly real: string;
  /** A key that the database counts up and never gives twice. */
  readonly counted: string;
  /** A key that tells rows apart, and no more. */
  readonly numbered: string;
  /** After a table's closing parenthesis. */
  readonly strict: string;
}

/** One step forward; there is none back: a backup is. */
export interface Migration {
  readonly name: string;
  statements(types: ColumnTypes): readonly string[];
}

export const COLUMN_TYPES: Readonly<Record<'sqlite' | 'postgres', ColumnTypes>> = Object.freeze({
  sqlite: {
    big: 'integer',
    real: 'real',
    counted: 'integer primary key autoincrement',
    numbered: 'integer primary key',
    strict: 'strict',
  },
  postgres: {
    big: 'bigint',
    real: 'double precision',
    counted: 'bigint generated always as identity primary key',
    numbered: 'bigint generated always as identity primary key',
    strict: '',
  },
});
