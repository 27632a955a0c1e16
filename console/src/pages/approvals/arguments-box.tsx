import { type ReactNode, useRef } from 'react';
import { useOverflows } from '../../components/use-overflows.ts';
import styles from './approvals.module.css';

/** Arguments of a call. Higher than their place they are scrolled, by keyboard too. */
export function ArgumentsBox({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useOverflows(box);
  return (
    <div ref={box} className={styles['arguments']} {...(scrolls ? { tabIndex: 0 } : {})}>
      {children}
    </div>
  );
}
