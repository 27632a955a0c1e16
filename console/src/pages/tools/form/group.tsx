import { type ReactNode, useId } from 'react';
import { Button } from '../../../components/button.tsx';
import type { ControlProps } from './editor-props.ts';
import styles from './form.module.css';
import type { Json } from './json.ts';

interface GroupProps
  extends Pick<ControlProps, 'name' | 'required' | 'pointer' | 'problems' | 'value' | 'onChange' | 'field'> {
  /** Value to begin with, when it is added. */
  readonly initial: () => Json;
  readonly children: ReactNode;
}

/** A value with parts: its name, what it is for, and a way to add it or leave it out. */
export function Group(props: GroupProps) {
  const { name, required, pointer, problems, value, onChange, field, initial, children } = props;
  const id = useId();
  const problem = problems.get(pointer);
  return (
    <fieldset className={styles['group']} aria-describedby={`${id}-words`} data-pointer={pointer}>
      <legend className={styles['legend']}>
        <span>
          {name}
          {required ? <span className={styles['needed']}> (needed)</span> : null}
        </span>
      </legend>
      <div id={`${id}-words`}>
        {field.description === undefined ? null : <p className={styles['hint']}>{field.description}</p>}
        {problem === undefined ? null : (
          <p className={styles['problem']} role="alert">
            {problem}
          </p>
        )}
      </div>
      {value === undefined ? (
        <div className={styles['row']}>
          <Button size="s" onClick={() => onChange(initial())} aria-label={`Add ${name}`}>
            Add
          </Button>
          {field.nullable ? (
            <Button
              size="s"
              variant="quiet"
              onClick={() => onChange(null)}
              aria-label={`Send null as ${name}`}
            >
              Send null
            </Button>
          ) : null}
        </div>
      ) : (
        <>
          {value === null ? <p className={styles['hint']}>null is sent.</p> : children}
          <div className={styles['row']}>
            <Button
              size="s"
              variant="quiet"
              onClick={() => onChange(undefined)}
              aria-label={`Leave out ${name}`}
            >
              Leave out
            </Button>
          </div>
        </>
      )}
    </fieldset>
  );
}
