import { type FormEvent, useState } from 'react';
import { useAddApprover } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import styles from './settings.module.css';

/** A second credential of the same person, so that one need not sign out to decide. */
export function AddApprover({ team }: { readonly team: boolean }) {
  const add = useAddApprover();
  const [token, setToken] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(token.trim());
  };
  return (
    <details className={styles['more']}>
      <summary>Let me decide approvals, too</summary>
      <form onSubmit={submit}>
        {add.isError ? <ErrorNote error={add.error} title="This does not let you decide" /> : null}
        <div className={styles['stack']}>
          <Field
            label={team ? 'Your key for deciding' : 'Approver token'}
            hint={
              team
                ? 'A key of yours that was made for deciding: `toolcrib admin key add USER --approver`.'
                : 'As `toolcrib approvals token` prints it on the machine of the gateway.'
            }
          >
            <input
              type="password"
              name="approver"
              autoComplete="off"
              spellCheck={false}
              value={token}
              onChange={({ target }) => setToken(target.value)}
            />
          </Field>
          <div>
            <Button type="submit" disabled={add.isPending || token.trim() === ''}>
              Add
            </Button>
          </div>
        </div>
      </form>
    </details>
  );
}
