import type { AccessMatrix, MatrixCell, MatrixRow } from '../../admin/access-administration.ts';

/** What a cell says of whatever source it stands at. */
export type SharedCell = Omit<MatrixCell, 'source'>;

/** A matrix in which cells that say the same are written once: most people of an organisation may do the same. */
export interface SharedMatrix extends Omit<AccessMatrix, 'rows'> {
  readonly shared: readonly SharedCell[];
  readonly rows: readonly SharedRow[];
}

export interface SharedRow extends MatrixRow {
  /** By source, which of `shared` stands there; `cells` is empty. */
  readonly at: readonly number[];
}

export function shareCells({ rows, ...matrix }: AccessMatrix): SharedMatrix {
  const shared: SharedCell[] = [];
  const places = new Map<string, number>();
  const placeOf = ({ source: _, ...cell }: MatrixCell): number => {
    const written = JSON.stringify(cell);
    const known = places.get(written);
    if (known !== undefined) return known;
    places.set(written, shared.length);
    return shared.push(cell) - 1;
  };
  return { ...matrix, rows: rows.map((row) => ({ ...row, cells: [], at: row.cells.map(placeOf) })), shared };
}
