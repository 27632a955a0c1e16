import { useId } from 'react';
import type { ControlProps } from './editor-props.ts';
import type { Control } from './field.ts';
import styles from './form.module.css';
import { PartWords } from './part-words.tsx';

type ConstantProps = ControlProps & { readonly control: Extract<Control, { kind: 'constant' }> };

/** A value that can only be sent or left out. */
export function ConstantField({
  name,
  required,
  pointer,
  field,
  control,
  value,
  problems,
  onChange,
}: ConstantProps) {
  const words = useId();
  const problem = problems.get(pointer);
  if (required && value !== undefined && problem === undefined) {
    return (
      <p className={styles['hint']} data-pointer={pointer}>
        {name} is <code>{JSON.stringify(control.value)}</code>
      </p>
    );
  }
  return (
    <div className={styles['scalar']} data-pointer={pointer}>
      <label className={styles['tick']}>
        <input
          type="checkbox"
          checked={value !== undefined}
          aria-describedby={words}
          onChange={(event) => onChange(event.target.checked ? control.value : undefined)}
        />
        <span>
          <strong>{name}</strong> {required ? <span className={styles['needed']}>(needed) </span> : null}
          <code>{JSON.stringify(control.value)}</code>
        </span>
      </label>
      <PartWords id={words} description={field.description} problem={problem} />
    </div>
  );
}
