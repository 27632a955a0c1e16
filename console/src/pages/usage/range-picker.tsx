import { DayField } from '../../components/time/day-field.tsx';
import { ChoiceButton } from './choice-button.tsx';
import { dayBefore } from './days.ts';
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
            <ChoiceButton
              key={days}
              chosen={from === first && to === today}
              onClick={() => onChange({ from: first, to: today })}
            >
              {days} days
            </ChoiceButton>
          );
        })}
      </div>
      <DayField
        label="First day (UTC)"
        day={from}
        max={to}
        onChange={(day) => onChange({ from: day, to: day > to ? day : to })}
      />
      <DayField
        label="Last day"
        day={to}
        min={from}
        onChange={(day) => onChange({ from: day < from ? day : from, to: day })}
      />
    </fieldset>
  );
}
