import { useState } from 'react';
import { Field } from '../forms/field.tsx';
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

/** The year is being typed: `0202-11-21` on the way to 2026. */
const HALF = /^0/;

/** A day to choose. */
export function DayField({ label, day, min, max, optional = false, onChange }: DayFieldProps) {
  const [half, setHalf] = useState<string>();
  return (
    <Field label={label}>
      <input
        type="date"
        value={half ?? day}
        min={min}
        max={max}
        onBlur={() => setHalf(undefined)}
        onChange={({ target: { value, validity } }) => {
          setHalf(HALF.test(value) ? value : undefined);
          if (HALF.test(value)) return;
          if (isDay(value) || (optional && !validity.badInput)) onChange(value);
        }}
      />
    </Field>
  );
}
