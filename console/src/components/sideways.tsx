import { type ReactNode, useRef } from 'react';
import styles from './panel.module.css';
import { useOverflows } from './use-overflows.ts';

/** What is wider than its place scrolls sideways, and then by keyboard too: it takes the focus while it is wider. */
export function Sideways({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const wider = useOverflows(box);
  return (
    <div ref={box} className={styles['flush']} {...(wider ? { tabIndex: 0 } : {})}>
      {children}
    </div>
  );
}
