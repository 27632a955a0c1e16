import { useIsAway } from '../../api/gateway-away.ts';
import { EmptyState } from './empty-state.tsx';
import styles from './states.module.css';

interface LoadingProps {
  /** What is awaited: "calls". */
  readonly what: string;
  readonly rows?: number | undefined;
}

/** Lines where the content will be; said once to a screen reader. While the gateway is away: that there is none yet. */
export function Loading({ what, rows = 4 }: LoadingProps) {
  if (useIsAway()) {
    return (
      <EmptyState title="Nothing to show yet">
        <p>It is read as soon as the gateway answers.</p>
      </EmptyState>
    );
  }
  return (
    <div className={styles['loading']} role="status">
      <span className="visually-hidden">Loading {what}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without content have no other identity
        <span key={row} className={styles['line']} aria-hidden="true" />
      ))}
    </div>
  );
}
