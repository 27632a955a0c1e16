import styles from './form.module.css';

interface LegendProps {
  readonly name: string;
  readonly required: boolean;
}

/** The name of a value with parts. */
export function PartLegend({ name, required }: LegendProps) {
  return (
    <legend className={styles['legend']}>
      <span>
        {name}
        {required ? <span className={styles['needed']}> (needed)</span> : null}
      </span>
    </legend>
  );
}

interface PartWordsProps {
  /** What describes the control names it in `aria-describedby`. */
  readonly id: string;
  readonly description: string | undefined;
  readonly problem: string | undefined;
}

/** What a value is for, and what is wrong with it. */
export function PartWords({ id, description, problem }: PartWordsProps) {
  return (
    <div id={id}>
      {description === undefined ? null : (
        <p className={styles['hint']} dir="auto">
          {description}
        </p>
      )}
      {problem === undefined ? null : (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
