import { type ReactNode, useEffect, useRef } from 'react';
import { usePageTitle } from '../../app/page-title.ts';
import styles from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  /** One or two sentences: what one sees and can do here. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** The heading of a page; also names the tab, and takes the focus of whoever came here. */
export function PageHeader({ title, children, actions }: PageHeaderProps) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  // left with the page itself as long as this one was not there
  useEffect(() => {
    if (document.activeElement?.id === 'main') heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className={styles['header']}>
      <div className={styles['words']}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children === undefined ? null : <div className={styles['lead']}>{children}</div>}
      </div>
      {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
    </header>
  );
}
