import styles from './checkboxes.module.css';

interface CheckboxesProps {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  /** All that are chosen then, and the one that was clicked. */
  readonly onChange: (chosen: readonly string[], name: string) => void;
}

/** Names to tick, any number of them. */
export function Checkboxes({ names, chosen, onChange }: CheckboxesProps) {
  return (
    <div className={styles['choices']}>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name), name)
            }
          />{' '}
          {name}
        </label>
      ))}
    </div>
  );
}
