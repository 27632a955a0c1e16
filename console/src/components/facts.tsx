import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

interface FactsProps {
  /** Entries whose value is undefined are left out. */
  readonly of: ReadonlyArray<readonly [name: string, value: ReactNode | undefined]>;
}

/** Names and values beside each other. */
export function Facts({ of }: FactsProps) {
  return (
    <dl className={styles['facts']}>
      {of
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
