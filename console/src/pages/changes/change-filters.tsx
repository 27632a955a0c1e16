import type { Organisation } from '../../../../gateway/src/principals/directory/records.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/forms/field.tsx';
import { FilterFields } from '../../components/forms/filter-fields.tsx';
import type { People } from '../../components/people/use-people.ts';
import { DayField } from '../../components/time/day-field.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { type ChangeFilter, isFiltered, KINDS } from './change-filter.ts';
import styles from './changes.module.css';

interface ChangeFiltersProps {
  readonly filter: ChangeFilter;
  readonly people: People;
  readonly organisations: readonly Organisation[];
  readonly onChange: (change: Partial<ChangeFilter>) => void;
}

type Choices = ReadonlyArray<readonly [value: string, text: string]>;

/** Whom it concerned, who did it, what kind of change, on which days. */
export function ChangeFilters({ filter, people, organisations, onChange }: ChangeFiltersProps) {
  const { from, to } = filter;
  const persons: Choices = people.sorted.map(({ id, name }) => [id, name] as const);
  const fields: ReadonlyArray<readonly [name: keyof ChangeFilter, label: string, Choices]> = [
    ['about', 'Concerns', persons],
    // whoever works on the machine itself is no person of the team
    ['by', 'Done by', [...persons, ['local', 'the operator']]],
    ['kind', 'Kind', KINDS.map(({ name, title }) => [name, title] as const)],
    ['organisation', 'Organisation', organisations.map(({ id, name }) => [id, visibleText(name)] as const)],
  ];
  return (
    <search aria-label="Changes">
      <FilterFields inForce={Object.values(filter).filter((value) => value !== '').length}>
        {fields
          .filter(([name, , choices]) => choices.length > 1 || filter[name] !== '')
          .map(([name, label, choices]) => (
            <Field key={name} label={label}>
              <select value={filter[name]} onChange={({ target }) => onChange({ [name]: target.value })}>
                <option value="">Any</option>
                {withChosen(choices, filter[name]).map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            </Field>
          ))}
        <DayField
          label="First day"
          day={from}
          max={to}
          optional
          onChange={(day) => onChange({ from: day, to: to !== '' && to < day ? day : to })}
        />
        <DayField
          label="Last day"
          day={to}
          min={from}
          optional
          onChange={(day) => onChange({ to: day, from: day !== '' && day < from ? day : from })}
        />
        {isFiltered(filter) ? (
          <p className={styles['clear']}>
            <Button
              variant="quiet"
              onClick={() => onChange({ kind: '', by: '', about: '', organisation: '', from: '', to: '' })}
            >
              Clear
            </Button>
          </p>
        ) : null}
      </FilterFields>
    </search>
  );
}

/** Who is gone may still be asked for by the address. */
function withChosen(choices: Choices, chosen: string): Choices {
  if (chosen === '' || choices.some(([value]) => value === chosen)) return choices;
  return [...choices, [chosen, visibleText(chosen)]];
}
