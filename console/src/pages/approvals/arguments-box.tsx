import type { ReactNode } from 'react';
import { ScrollBox } from '../../components/layout/scroll-box.tsx';
import styles from './approvals.module.css';

/** Arguments of a call; higher than their place they are scrolled. */
export function ArgumentsBox({ children }: { readonly children: ReactNode }) {
  return (
    <ScrollBox className={styles['arguments']} label="Arguments">
      {children}
    </ScrollBox>
  );
}
