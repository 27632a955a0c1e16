import { useId } from 'react';
import type { ControlProps } from './editor-props.ts';
import type { Control } from './field.ts';
import styles from './form.module.css';
import { PartLegend, PartWords } from './part-words.tsx';

type SelectionProps = ControlProps & { readonly control: Extract<Control, { kind: 'selection' }> };

/** A list of different choices, ticked one by one; none ticked: left out. */
export function SelectionField(props: SelectionProps) {
  const { name, required, pointer, field, control, value, problems, onChange } = props;
  const words = useId();
  const chosen = Array.isArray(value) ? value : [];
  const problem = problems.get(pointer);
  return (
    <fieldset className={styles['group']} aria-describedby={words} data-pointer={pointer}>
      <PartLegend name={name} required={required} />
      <PartWords id={words} description={field.description} problem={problem} />
      <div className={styles['ticks']}>
        {control.options.map((option, at) => {
          const written = typeof option === 'string' ? option : JSON.stringify(option);
          return (
            <label key={written} className={styles['tick']}>
              <input
                type="checkbox"
                checked={chosen.includes(option)}
                onChange={({ target }) => {
                  const wanted = target.checked
                    ? [...chosen, option]
                    : chosen.filter((one) => one !== option);
                  onChange(wanted.length === 0 ? undefined : wanted);
                }}
              />
              <span>{control.labels?.[at] ?? written}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
