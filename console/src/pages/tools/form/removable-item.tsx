import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { say } from '../../../components/states/said.tsx';
import styles from './form.module.css';

interface RemovableItemProps {
  /** What it is called where it is removed. */
  readonly name: string;
  /** Its button goes with it: says where the focus is led before that. */
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

/** One of several parts that can be taken away. */
export function RemovableItem({ name, onRemove, children }: RemovableItemProps) {
  return (
    <div className={styles['item']}>
      {children}
      <Button
        size="s"
        variant="quiet"
        aria-label={`Remove ${name}`}
        onClick={() => {
          say(`${name} is removed`);
          onRemove();
        }}
      >
        Remove
      </Button>
    </div>
  );
}
