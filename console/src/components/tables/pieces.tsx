import { type ReactNode, useState } from 'react';
import { MoreButton } from './more-button.tsx';
import styles from './pieces.module.css';

interface PiecesProps<Row> {
  readonly rows: readonly Row[];
  /** Draws those that are shown. */
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** Rows drawn at once. */
const STEP = 200;

/** A list of any length, drawn piece by piece. */
export function Pieces<Row>({ rows, children }: PiecesProps<Row>) {
  const [shown, setShown] = useState(STEP);
  const rest = rows.length - shown;
  return (
    <>
      {children(rows.slice(0, shown))}
      {rest > 0 ? (
        <p className={styles['more']}>
          <MoreButton onClick={() => setShown(shown + 5 * STEP)}>
            Show {Math.min(rest, 5 * STEP)} more
          </MoreButton>
        </p>
      ) : null}
    </>
  );
}
