import type { AccessChange } from '../../../../gateway/src/principals/access/access-records.ts';
import type {
  AccessMatrix,
  MatrixRow,
} from '../../../../gateway/src/server/http/admin/access-administration.ts';

/** What of the matrix is open: a person or the organisation (null), with a source or as a whole. */
export interface Opened {
  readonly user: string | null;
  readonly source?: string;
}

/** The matrix as a grid or as a list. */
export interface MatrixProps {
  readonly matrix: AccessMatrix;
  readonly rows: readonly MatrixRow[];
  readonly changes: readonly AccessChange[];
  readonly onOpen: (opened: Opened) => void;
}
