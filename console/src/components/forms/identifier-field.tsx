import { Field } from './field.tsx';

interface IdentifierFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly required?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A name that requests and the configuration use: letters, digits, dots, dashes and underscores. */
export function IdentifierField({ value, onChange, ...field }: IdentifierFieldProps) {
  return (
    <Field {...field}>
      <input
        value={value}
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
        maxLength={128}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
