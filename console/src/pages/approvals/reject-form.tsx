import { useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/forms/field.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import styles from './approvals.module.css';
import { useDraft } from './use-draft.ts';

interface RejectFormProps {
  /** Of the approval. */
  readonly id: string;
  readonly label: string;
  readonly busy: boolean;
  readonly onReject: (reason: string | undefined) => void;
  readonly onCancel: () => void;
}

/** A reason helps the model to do better; none is needed. */
export function RejectForm({ id, label, busy, onReject, onCancel }: RejectFormProps) {
  const [reason, setReason, drop] = useDraft(id, 'reject', '');
  const input = useRef<HTMLInputElement>(null);
  const cancel = () => {
    drop();
    onCancel();
  };
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
        cancel();
      }}
    >
      <Field label="Reason" hint="The caller is told. It may stay empty.">
        <input
          ref={input}
          dir="auto"
          value={reason}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <div className={styles['actions']}>
        <Button type="submit" variant="danger" waits={busy}>
          {label} <KeyHint keys="Enter" />
        </Button>
        <Button variant="quiet" onClick={cancel}>
          Back <KeyHint keys="Esc" />
        </Button>
      </div>
    </form>
  );
}
