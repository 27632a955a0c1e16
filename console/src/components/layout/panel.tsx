import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';
import { Sideways } from './sideways.tsx';

interface PanelProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  /** The content touches the edges: tables and lists. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with its own heading. */
export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const heading = useId();
  return (
    <section className={styles['panel']}>
      {title === undefined && actions === undefined ? null : (
        <div className={styles['head']}>
          <h2 id={heading} tabIndex={-1} className={styles['title']}>
            {title}
          </h2>
          {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
        </div>
      )}
      {flush ? (
        <Sideways heading={title === undefined ? undefined : heading}>{children}</Sideways>
      ) : (
        <div className={styles['body']}>{children}</div>
      )}
    </section>
  );
}
