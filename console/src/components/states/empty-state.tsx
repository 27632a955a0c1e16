import type { ReactNode } from 'react';
import styles from './states.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly tone?: 'neutral' | 'bad';
  /** What would fill it, as words and a way there. */
  readonly children?: ReactNode;
}

/** Nothing to show, and what that means. */
export function EmptyState({ title, tone = 'neutral', children }: EmptyStateProps) {
  return (
    <div className={styles['empty']} role={tone === 'bad' ? 'alert' : undefined}>
      <p className={styles['emptyTitle']}>{title}</p>
      <div className={styles['emptyText']}>{children}</div>
    </div>
  );
}
