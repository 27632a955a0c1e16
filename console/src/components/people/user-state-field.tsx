import type { User } from '../../../../gateway/src/principals/directory/records.ts';
import { Field } from '../forms/field.tsx';

interface UserStateFieldProps {
  /** What a disabled person may do. */
  readonly hint: string;
  readonly value: User['status'];
  readonly onChange: (status: User['status']) => void;
}

/** Whether a person may come in at all. */
export function UserStateField({ hint, value, onChange }: UserStateFieldProps) {
  return (
    <Field label="State" hint={hint}>
      <select value={value} onChange={({ target }) => onChange(target.value as User['status'])}>
        <option value="active">Active</option>
        <option value="disabled">Disabled</option>
      </select>
    </Field>
  );
}
