import { Field } from '../forms/field.tsx';
import { TypedInput } from './typed-input.tsx';

interface TimeFieldProps {
  readonly label: string;
  /** `14:30`; empty: none is chosen. */
  readonly time: string;
  /** There is no day that it is a time of. */
  readonly disabled: boolean;
  readonly onChange: (time: string) => void;
}

/** A time of a day, to choose or not. */
export function TimeField({ label, time, disabled, onChange }: TimeFieldProps) {
  return (
    <Field label={label}>
      <TypedInput type="time" value={time} disabled={disabled} optional onTyped={onChange} />
    </Field>
  );
}
