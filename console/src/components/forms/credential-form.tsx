import { type FormEvent, type Ref, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Button } from '../button.tsx';
import { Parts } from '../layout/stack.tsx';
import { ErrorNote } from '../states/error-note.tsx';
import { Field } from './field.tsx';

/** To a person, who sends no headers. */
const PASTED = 'Paste it again, as a whole. If it is still refused, ask whoever gave it to you.';

interface CredentialFormProps {
  /** Of the input. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** The verb that sends it: "Sign in". */
  readonly action: string;
  readonly variant?: 'primary';
  readonly sent: { readonly isPending: boolean; readonly error: unknown };
  /** What did not happen, where it was refused. */
  readonly refused: string;
  readonly onSend: (credential: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** A credential that somebody types or pastes; it goes to the gateway once and is kept nowhere here. */
export function CredentialForm(props: CredentialFormProps) {
  const { name, label, hint, action, variant = 'default', sent, refused, onSend, inputRef } = props;
  const [credential, setCredential] = useState('');
  const given = credential.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend(given);
  };
  const isUnknown = sent.error instanceof ApiError && sent.error.code === 'unauthorized';
  return (
    <form onSubmit={submit}>
      {sent.error === null ? null : (
        <ErrorNote error={sent.error} title={refused} next={isUnknown ? PASTED : undefined} />
      )}
      <Parts>
        <Field label={label} hint={hint}>
          <input
            ref={inputRef}
            type="password"
            name={name}
            autoComplete="off"
            spellCheck={false}
            value={credential}
            onChange={({ target }) => setCredential(target.value)}
          />
        </Field>
        <div>
          <Button type="submit" variant={variant} disabled={given === ''} waits={sent.isPending}>
            {action}
          </Button>
        </div>
      </Parts>
    </form>
  );
}
