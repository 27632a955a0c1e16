import type { ReactNode } from 'react';
import type { Tone } from '../badge.tsx';
import styles from './states.module.css';

interface NoticeProps {
  readonly tone?: Tone;
  readonly title: ReactNode;
  /** Said at once by screen readers. */
  readonly alert?: boolean;
  readonly children?: ReactNode;
}

/** Something to know before going on. */
export function Notice({ tone = 'info', title, alert = false, children }: NoticeProps) {
  return (
    <div className={`${styles['notice']} ${styles[tone]}`} role={alert ? 'alert' : undefined}>
      <p className={styles['noticeTitle']}>{title}</p>
      {children === undefined ? null : <div className={styles['noticeText']}>{children}</div>}
    </div>
  );
}
