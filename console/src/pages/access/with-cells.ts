import type { AccessMatrix } from '../../../../gateway/src/server/http/admin/access-administration.ts';
import type { SharedMatrix } from '../../../../gateway/src/server/http/routes/access/share-cells.ts';

/** The matrix as it is without `cells=shared`. */
export function withCells({ shared, rows, ...matrix }: SharedMatrix): AccessMatrix {
  const { sources } = matrix;
  return {
    ...matrix,
    rows: rows.map(({ at, ...row }) => ({
      ...row,
      cells: at.map((place, index) => ({ source: sources[index]!.name, ...shared[place]! })),
    })),
  };
}
