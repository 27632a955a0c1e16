import type { ReactNode } from 'react';
import { Field } from '../../components/forms/field.tsx';
import { FilterFields } from '../../components/forms/filter-fields.tsx';
import { nameOrder } from '../../components/name-order.ts';
import { usePeople } from '../../components/people/use-people.ts';
import { visibleText } from '../../components/visible-text.ts';
import styles from './approvals.module.css';
import { choicesOf, NARROWED, type Narrowable, type Narrowed, type WaitingFilter } from './waiting-filter.ts';

interface WaitingFiltersProps {
  readonly filter: WaitingFilter;
  readonly waiting: readonly Narrowable[];
  readonly onChange: (name: Narrowed, value: string) => void;
  /** How many fit, and what can be done with them. */
  readonly children: ReactNode;
}

const LABELS: Readonly<Record<Narrowed, string>> = { principal: 'Caller', source: 'Source', tool: 'Tool' };

/** Narrows what waits to a person, a source and a tool, each with how many calls it leaves. */
export function WaitingFilters({ filter, waiting, onChange, children }: WaitingFiltersProps) {
  const { nameOf } = usePeople();
  const byName = nameOrder();
  const textOf = (name: Narrowed, value: string) =>
    name === 'principal' ? nameOf(value) : visibleText(value);
  return (
    <search className={styles['filters']}>
      <FilterFields inForce={Object.keys(filter).length}>
        {NARROWED.map((name) => (
          <Field key={name} label={LABELS[name]}>
            <select value={filter[name] ?? ''} onChange={({ target }) => onChange(name, target.value)}>
              <option value="">Any</option>
              {[...choicesOf(waiting, filter, name)]
                .map(([value, count]) => ({ value, text: textOf(name, value), count }))
                .sort((a, b) => byName(a.text, b.text))
                .map(({ value, text, count }) => (
                  <option key={value} value={value}>
                    {text} ({count})
                  </option>
                ))}
            </select>
          </Field>
        ))}
      </FilterFields>
      {children}
    </search>
  );
}
