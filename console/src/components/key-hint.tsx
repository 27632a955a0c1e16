import styles from './key-hint.module.css';

/** A key to press, beside what it does. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return <kbd className={styles['key']}>{keys}</kbd>;
}
