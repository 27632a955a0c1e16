import styles from './states.module.css';

interface LoadingProps {
  /** What is awaited: "calls". */
  readonly what: string;
  readonly rows?: number;
}

/** Lines where the content will be; said once to a screen reader. */
export function Loading({ what, rows = 4 }: LoadingProps) {
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
