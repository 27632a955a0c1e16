import { useRef } from 'react';
import { useSignIn } from '../../api/session.ts';
import { CredentialForm } from '../../components/forms/credential-form.tsx';

interface TokenFormProps {
  readonly label: string;
  readonly hint: string;
  readonly onSignedIn: () => void;
}

/** Signs in with what somebody has. */
export function TokenForm({ label, hint, onSignedIn }: TokenFormProps) {
  const signIn = useSignIn();
  const input = useRef<HTMLInputElement>(null);
  const send = (token: string) =>
    signIn.mutate(
      { token },
      {
        onSuccess: onSignedIn,
        onError() {
          input.current?.focus();
          input.current?.select();
        },
      },
    );
  return (
    <CredentialForm
      name="token"
      label={label}
      hint={hint}
      action={signIn.isPending ? 'Signing in' : 'Sign in'}
      variant="primary"
      sent={signIn}
      refused="This did not sign you in"
      onSend={send}
      inputRef={input}
    />
  );
}
