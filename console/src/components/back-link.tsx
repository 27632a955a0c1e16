import { Link } from 'wouter';
import styles from './back-link.module.css';

interface BackLinkProps {
  readonly href: string;
  /** "All tools". */
  readonly children: string;
}

/** From one thing to the list of all, above its heading. */
export function BackLink({ href, children }: BackLinkProps) {
  return (
    <p className={styles['back']}>
      <Link href={href}>{children}</Link>
    </p>
  );
}
