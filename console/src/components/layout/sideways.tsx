import type { ReactNode } from 'react';
import styles from './panel.module.css';
import { ScrollBox } from './scroll-box.tsx';

interface SidewaysProps {
  /** Id of its heading, where it has one. */
  readonly heading?: string | undefined;
  readonly children: ReactNode;
}

/** What is wider than its place scrolls sideways. */
export function Sideways({ heading, children }: SidewaysProps) {
  return (
    <ScrollBox className={styles['flush']} {...(heading === undefined ? { label: 'List' } : { heading })}>
      {children}
    </ScrollBox>
  );
}
