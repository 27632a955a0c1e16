import { Field } from '../forms/field.tsx';
import { TypedInput } from './typed-input.tsx';

interface DayFieldProps {
  readonly label: string;
  /** `2026-11-21`; empty: none is chosen. */
  readonly day: string;
  readonly min?: string;
  readonly max?: string;
  /** None may be chosen, too. */
  readonly optional?: boolean;
  /** Not while it is half typed. */
  readonly onChange: (day: string) => void;
}

/** The year is being typed: `0202-11-21` on the way to 2026. */
const isHalf = (day: string) => day.startsWith('0');

/** A day to choose. */
export function DayField({ label, day, min, max, optional = false, onChange }: DayFieldProps) {
  return (
    <Field label={label}>
      <TypedInput
        type="date"
        value={day}
        min={min}
        max={max}
        optional={optional}
        isHalf={isHalf}
        onTyped={onChange}
      />
    </Field>
  );
}
