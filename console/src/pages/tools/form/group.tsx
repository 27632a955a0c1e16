import { type ReactNode, useId, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import type { Json } from '../../../components/json/json-values.ts';
import { say } from '../../../components/states/said.tsx';
import type { ControlProps } from './editor-props.ts';
import styles from './form.module.css';
import { PartLegend, PartWords } from './part-words.tsx';
import { CONTROL, useLeadFocus } from './use-lead-focus.ts';

interface GroupProps
  extends Pick<ControlProps, 'name' | 'required' | 'pointer' | 'problems' | 'value' | 'onChange' | 'field'> {
  /** Value to begin with, when it is added. */
  readonly initial: () => Json;
  readonly children: ReactNode;
}

/** A value with parts: its name, what it is for, and a way to add it or leave it out. */
export function Group(props: GroupProps) {
  const { name, required, pointer, problems, value, onChange, field, initial, children } = props;
  const words = useId();
  const problem = problems.get(pointer);
  const part = useRef<HTMLFieldSetElement>(null);
  const lead = useLeadFocus(part);
  // the button that was pressed is gone then
  const change = (next: Json | undefined) => {
    say(
      next === undefined
        ? `${name} is left out`
        : next === null
          ? `null is sent as ${name}`
          : `${name} is added`,
    );
    lead(CONTROL);
    onChange(next);
  };
  return (
    <fieldset ref={part} className={styles['group']} aria-describedby={words} data-pointer={pointer}>
      <PartLegend name={name} required={required} />
      <PartWords id={words} description={field.description} problem={problem} />
      {value === undefined ? (
        <div className={styles['row']}>
          <Button size="s" onClick={() => change(initial())} aria-label={`Add ${name}`}>
            Add
          </Button>
          {field.nullable ? (
            <Button size="s" variant="quiet" onClick={() => change(null)} aria-label={`Send null as ${name}`}>
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
              onClick={() => change(undefined)}
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
