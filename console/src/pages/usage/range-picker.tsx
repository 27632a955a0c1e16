import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { dayBefore, isDay } from './days.ts';
import styles from './usage.module.css';

interface RangePickerProps {
  readonly from: string;
  readonly to: string;
  readonly onChange: (range: { readonly from: string; readonly to: string }) => void;
}

const RANGES = [7, 30, 90] as const;

/** From which day to which; the usual ones by a button. */
export function RangePicker({ from, to, onChange }: RangePickerProps) {
  const today = dayBefore(0);
  return (
    <fieldset className={styles['range']}>
      <legend className="visually-hidden">Days</legend>
      <div className={styles['presets']}>
        {RANGES.map((days) => {
          const first = dayBefore(days - 1);
          return (
            <Button
              key={days}
              aria-pressed={from === first && to === today}
              className={styles['preset']}
              onClick={() => onChange({ from: first, to: today })}
            >
              {days} days
            </Button>
          );
        })}
      </div>
      <Field label="First day (UTC)">
        <input
          type="date"
          value={from}
          max={to}
          onChange={({ target: { value } }) => {
            if (isDay(value)) onChange({ from: value, to: value > to ? value : to });
          }}
        />
      </Field>
      <Field label="Last day">
        <input
          type="date"
          value={to}
          min={from}
          onChange={({ target: { value } }) => {
            if (isDay(value)) onChange({ from: value < from ? value : from, to: value });
          }}
        />
      </Field>
    </fieldset>
  );
}
