import type { ReactNode } from 'react';
import styles from './panel.module.css';
import { ScrollBox } from './scroll-box.tsx';

/** What is wider than its place scrolls sideways. */
export function Sideways({ children }: { readonly children: ReactNode }) {
  return <ScrollBox className={styles['flush']}>{children}</ScrollBox>;
}
