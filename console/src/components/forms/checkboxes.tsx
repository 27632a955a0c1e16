import { useState } from 'react';
import { count } from '../quantities.ts';
import styles from './checkboxes.module.css';
import { Field } from './field.tsx';

interface CheckboxesProps {
  /** In the plural: "sources". */
  readonly what: string;
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  /** All that are chosen then, and the one that was clicked. */
  readonly onChange: (chosen: readonly string[], name: string) => void;
}

/** So many are looked through without a filter. */
const FEW = 20;
/** Drawn at once: each is a stop of the keyboard. */
const MANY = 50;

/** Names to tick, any number of them; of many those that a filter finds. What was ticked stays in sight. */
export function Checkboxes({ what, names, chosen, onChange }: CheckboxesProps) {
  const [text, setText] = useState('');
  const [ticked, setTicked] = useState(chosen);
  const wanted = text.trim().toLowerCase();
  const found = names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, MANY);
  const shown = new Set([...found, ...chosen, ...ticked]);
  return (
    <>
      {names.length > FEW ? (
        <div className={styles['filter']}>
          <Field label={`Filter ${what}`} quiet>
            <input
              type="search"
              value={text}
              placeholder={`Filter ${what}`}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={(event) => {
                // it would send the form around it
                if (event.key === 'Enter') event.preventDefault();
              }}
            />
          </Field>
          <p role="status">
            {count(found.length)} of {count(names.length)} {what}
          </p>
        </div>
      ) : null}
      <div className={styles['choices']}>
        {names
          .filter((name) => shown.has(name))
          .map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ target }) => {
                  setTicked([...ticked, name]);
                  onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name), name);
                }}
              />{' '}
              {name}
            </label>
          ))}
      </div>
    </>
  );
}
