import { Field } from './field.tsx';
import { isDay } from './is-day.ts';

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

/** A day to choose. */
export function DayField({ label, day, min, max, optional = false, onChange }: DayFieldProps) {
  return (
    <Field label={label}>
      <input
        type="date"
        value={day}
        min={min}
        max={max}
        onChange={({ target: { value, validity } }) => {
          if (isDay(value) || (optional && !validity.badInput)) onChange(value);
        }}
      />
    </Field>
  );
}
