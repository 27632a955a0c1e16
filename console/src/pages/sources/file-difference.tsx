import type { FileChange } from '../../../../gateway/src/server/http/admin/gateway-sources.ts';
import { visibleText } from '../../components/visible-text.ts';
import styles from './sources.module.css';

/** The lines of the configuration file that a change puts in and takes out. */
export function FileDifference({ change }: { readonly change: FileChange }) {
  const { path, line, removed, added } = change;
  return (
    <figure className={styles['file']}>
      <figcaption className={styles['soft']}>
        {visibleText(path)}, line {line}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre className={styles['lines']} tabIndex={0}>
        {removed.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <del key={index} className={styles['before']}>{`− ${visibleText(text)}\n`}</del>
        ))}
        {added.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <ins key={index} className={styles['after']}>{`+ ${visibleText(text)}\n`}</ins>
        ))}
      </pre>
    </figure>
  );
}
