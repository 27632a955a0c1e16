import type { Diagnostic } from '../../../../gateway/src/operations/index.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { WithCode } from '../../components/with-code.tsx';
import styles from './sources.module.css';

/** What was found, and where: the pointer leads to the place in the document. */
export function FindingLine({ finding }: { readonly finding: Diagnostic }) {
  const { code, message, pointer, location, next } = finding;
  const place = [location, pointer].filter((one) => one !== undefined).join(' ');
  return (
    <div className={styles['findingText']}>
      <p>
        <WithCode text={visibleText(message)} />
      </p>
      <p className={styles['soft']}>
        <code>{code}</code>
        {place === '' ? null : (
          <>
            {' at '}
            <code>{visibleText(place)}</code> <CopyButton text={place} what="the place" />
          </>
        )}
      </p>
      {next === undefined ? null : (
        <p className={styles['soft']}>
          <WithCode text={visibleText(next)} />
        </p>
      )}
    </div>
  );
}
