import { useEffect, useId, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import styles from './approvals.module.css';
import { singleClick } from './single-click.ts';

interface ConfirmDecisionProps {
  /** What happens then. */
  readonly words: string;
  readonly label: string;
  /** The key that led here, and confirms. */
  readonly keys: string;
  readonly destructive: boolean;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** The second press for what destroys, or holds for more than one call. */
export function ConfirmDecision(props: ConfirmDecisionProps) {
  const { words, label, keys, destructive, busy, onConfirm, onCancel } = props;
  const button = useRef<HTMLButtonElement>(null);
  const what = useId();
  useEffect(() => button.current?.focus(), []);
  return (
    <fieldset className={styles['confirm']}>
      <legend className="visually-hidden">Confirm</legend>
      <p id={what}>{words}</p>
      <div className={styles['actions']}>
        <Button
          ref={button}
          aria-describedby={what}
          variant={destructive ? 'danger' : 'primary'}
          waits={busy}
          onClick={singleClick(onConfirm)}
        >
          {label} <KeyHint keys={keys} />
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Back <KeyHint keys="Esc" />
        </Button>
      </div>
    </fieldset>
  );
}
