import { Field } from '../../components/forms/field.tsx';

interface EntryFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const HINT = 'JSON. Secrets are named: { "env": "NAME" }.';

/** An entry as the configuration takes it. */
export function EntryField({ text, onChange }: EntryFieldProps) {
  return (
    <Field label="Entry" hint={HINT}>
      <textarea rows={10} value={text} spellCheck={false} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}
