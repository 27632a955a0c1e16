import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly text: string;
  /** What it is, for screen readers and the copy button: "request". */
  readonly label: string;
}

/** Text as it is, to read and to copy. */
export function CodeBlock({ text, label }: CodeBlockProps) {
  return (
    <figure className={styles['block']} aria-label={label}>
      <div className={styles['copy']}>
        <CopyButton text={text} what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre className={styles['text']} tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
