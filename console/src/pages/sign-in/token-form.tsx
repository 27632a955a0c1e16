import { type FormEvent, useRef, useState } from 'react';
import { useSignIn } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import styles from './sign-in.module.css';

interface TokenFormProps {
  readonly label: string;
  readonly hint: string;
  readonly onSignedIn: () => void;
}

/** A credential that somebody types or pastes; it goes to the gateway once and is kept nowhere here. */
export function TokenForm({ label, hint, onSignedIn }: TokenFormProps) {
  const signIn = useSignIn();
  const [token, setToken] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(
      { token: token.trim() },
      {
        onSuccess: onSignedIn,
        onError() {
          input.current?.focus();
          input.current?.select();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      {signIn.isError ? <ErrorNote error={signIn.error} title="This did not sign you in" /> : null}
      <div className={styles['form']}>
        <Field label={label} hint={hint}>
          <input
            ref={input}
            type="password"
            name="token"
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </Field>
        <div>
          <Button type="submit" variant="primary" disabled={signIn.isPending || token.trim() === ''}>
            {signIn.isPending ? 'Signing in' : 'Sign in'}
          </Button>
        </div>
      </div>
    </form>
  );
}
