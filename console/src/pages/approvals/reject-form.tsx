import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/forms/field.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import styles from './approvals.module.css';

interface RejectFormProps {
  readonly label: string;
  readonly busy: boolean;
  readonly onReject: (reason: string | undefined) => void;
  readonly onCancel: () => void;
}

/** A reason helps the model to do better; none is needed. */
export function RejectForm({ label, busy, onReject, onCancel }: RejectFormProps) {
  const [reason, setReason] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      className={styles['reject']}
      onSubmit={(event) => {
        event.preventDefault();
        const said = reason.trim();
        onReject(said === '' ? undefined : said);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <Field label="Reason" hint="The caller is told. It may stay empty.">
        <input
          ref={input}
          value={reason}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <div className={styles['actions']}>
        <Button type="submit" variant="danger" disabled={busy}>
          {label} <KeyHint keys="Enter" />
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Back <KeyHint keys="Esc" />
        </Button>
      </div>
    </form>
  );
}
