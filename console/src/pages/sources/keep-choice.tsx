import { useId } from 'react';
import { Legend } from '../../components/forms/field.tsx';
import type { SourceOptions } from './queries.ts';
import styles from './sources.module.css';

interface KeepChoiceProps {
  readonly keep: 'file' | 'run';
  readonly file: SourceOptions['file'];
  readonly onChoose: (keep: 'file' | 'run') => void;
  /** What is chosen. Default: where it is kept. */
  readonly legend?: string;
}

/** Whether a change outlives the gateway. Without a file of its own there is nothing to choose. */
export function KeepChoice({ keep, file, onChoose, legend = 'Keep it' }: KeepChoiceProps) {
  const name = useId();
  if (file === undefined)
    return (
      <p className={styles['soft']}>
        This gateway was started without a configuration file: the change counts until it stops.
      </p>
    );
  const choice = (value: 'file' | 'run', label: string, disabled = false) => (
    <label className={styles['choice']}>
      <input
        type="radio"
        name={name}
        checked={keep === value}
        disabled={disabled}
        onChange={() => onChoose(value)}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset className={styles['choices']}>
      <Legend>{legend}</Legend>
      {choice('file', `In ${file.path}${file.writable ? '' : ', which cannot be written'}`, !file.writable)}
      {choice('run', 'For this run only')}
    </fieldset>
  );
}
