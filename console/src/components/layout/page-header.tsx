import type { ReactNode } from 'react';
import { usePageTitle } from '../../app/page-title.ts';
import styles from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  /** One or two sentences: what one sees and can do here. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** The heading of a page; also names the tab. */
export function PageHeader({ title, children, actions }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <header className={styles['header']}>
      <div className={styles['words']}>
        <h1>{title}</h1>
        {children === undefined ? null : <div className={styles['lead']}>{children}</div>}
      </div>
      {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
    </header>
  );
}
