import { cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { WithCode } from '../with-code.tsx';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean;
  /** The label is for screen readers alone: search boxes and cells. */
  readonly quiet?: boolean;
  /** One input, select or textarea: it gets the id and what describes it. */
  readonly children: ReactElement<FieldControl>;
}

interface FieldControl {
  readonly id?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean;
  readonly required?: boolean;
}

/** A labelled control with its hint and what is wrong with it. */
export function Field({ label, hint, error, required = false, quiet = false, children }: FieldProps) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={quiet ? 'visually-hidden' : styles['label']}>
        {label}
        {required ? <span className={styles['required']}> (needed)</span> : null}
      </label>
      {cloneElement(children, {
        id,
        'aria-describedby': described.filter(Boolean).join(' ') || undefined,
        // said, not left out: a browser calls an empty field that is needed invalid before anybody wrote in it
        'aria-invalid': error !== undefined,
        ...(required ? { required } : {}),
      })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={styles['hint']} dir="auto">
          <WithCode text={hint} />
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** What several controls are together, as the heading of their fieldset. */
export function Legend({ children }: { readonly children: ReactNode }) {
  return <legend className={styles['legend']}>{children}</legend>;
}
