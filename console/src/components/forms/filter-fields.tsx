import { type ReactNode, useId, useState } from 'react';
import { Button } from '../button.tsx';
import styles from './filter-fields.module.css';

interface FilterFieldsProps {
  /** How many of them narrow the list now. */
  readonly inForce: number;
  readonly children: ReactNode;
}

/** Fields that narrow a list. On a telephone they stand behind a button: the list is what one comes for. */
export function FilterFields({ inForce, children }: FilterFieldsProps) {
  const [open, setOpen] = useState(false);
  const fields = useId();
  return (
    <>
      <p className={styles['toggle']}>
        <Button size="s" aria-expanded={open} aria-controls={fields} onClick={() => setOpen(!open)}>
          Filters{inForce === 0 ? '' : `, ${inForce} in force`}
        </Button>
      </p>
      <div id={fields} className={styles['fields']} data-open={open}>
        {children}
      </div>
    </>
  );
}
