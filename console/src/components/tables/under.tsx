import type { ReactNode } from 'react';
import styles from './under.module.css';

/** A second, quieter line in a cell of a table. */
export function Under({ children }: { readonly children: ReactNode }) {
  return <span className={styles['under']}>{children}</span>;
}
