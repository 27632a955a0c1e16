import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** Panels below each other: the space between them is kept here, nowhere else. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles['stack']}>{children}</div>;
}

/** Parts of a form or a dialog below each other; margins of their own add to the space. */
export function Parts({ children }: { readonly children: ReactNode }) {
  return <div className={styles['parts']}>{children}</div>;
}
