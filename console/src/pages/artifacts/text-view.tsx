import { useState } from 'react';
import { count } from '../../components/quantities.ts';
import { MoreButton } from '../../components/tables/more-button.tsx';
import { visibleText } from '../../components/visible-text.ts';
import styles from './artifacts.module.css';

/** Characters at first, and more at a time: a page lays out no megabyte at once. */
const SHOWN = 40_000;

/** A text as it is, characters that hide made visible. */
export function TextView({ text, label }: { readonly text: string; readonly label: string }) {
  const [shown, setShown] = useState(SHOWN);
  const left = text.length - shown;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={styles['text']} tabIndex={0} aria-label={label}>
        <pre>{visibleText(text.slice(0, shown))}</pre>
      </section>
      {left > 0 ? (
        <p className={styles['more']}>
          <MoreButton size="s" onClick={() => setShown(shown * 3)}>
            Show more
          </MoreButton>
          <span>{count(left)} more characters</span>
        </p>
      ) : null}
    </>
  );
}
