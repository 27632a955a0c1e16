import { type Ref, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/forms/field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { DayField } from '../../components/time/day-field.tsx';
import { TimeField } from '../../components/time/time-field.tsx';
import styles from './call-filters.module.css';
import { ACCESSES, type CallFilters as Filters, isFiltered, NO_FILTERS, STATES } from './filters.ts';

interface CallFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
  /** For the key that leads there. */
  readonly searchRef: Ref<HTMLInputElement>;
  /** Values that are known, to choose from. */
  readonly known: Readonly<Record<'tool' | 'source' | 'principal' | 'code', readonly string[]>>;
}

const NARROWER = ['tool', 'source', 'principal', 'code'] as const;
const TIMES = ['from', 'to', 'fromTime', 'toTime'] as const;
const LABELS = { tool: 'Tool', source: 'Source', principal: 'Caller', code: 'Error code' } as const;

/** What the list shows; all of it stands in the address. */
export function CallFilters({ filters, onChange, searchRef, known }: CallFiltersProps) {
  const people = usePeople();
  const [more, setMore] = useState([...NARROWER, ...TIMES].some((name) => filters[name] !== ''));
  return (
    <search className={styles['filters']} aria-label="Calls">
      <div className={styles['row']}>
        <div className={styles['search']}>
          <TextField
            label="Text in tool, operation or message"
            quiet
            value={filters.q}
            onChange={(q) => onChange({ q })}
            inputRef={searchRef}
            placeholder="Search  /"
            type="search"
          />
        </div>
        <Field label="State" quiet>
          <select value={filters.state} onChange={(event) => onChange({ state: event.target.value })}>
            <option value="">Any state</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {state === 'completed' ? 'done' : state}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Access" quiet>
          <select value={filters.access} onChange={(event) => onChange({ access: event.target.value })}>
            <option value="">Any access</option>
            {ACCESSES.map((access) => (
              <option key={access} value={access}>
                {access}
              </option>
            ))}
          </select>
        </Field>
        <Button
          variant="quiet"
          aria-expanded={more}
          aria-controls="more-filters"
          onClick={() => setMore(!more)}
        >
          {more ? 'Fewer filters' : 'More filters'}
        </Button>
        {isFiltered(filters) ? (
          <Button variant="quiet" onClick={() => onChange(NO_FILTERS)}>
            Clear
          </Button>
        ) : null}
      </div>
      <div id="more-filters" className={styles['more']} hidden={!more}>
        {NARROWER.map((name) => (
          <div key={name}>
            <TextField
              label={LABELS[name]}
              value={name === 'principal' ? people.nameOf(filters[name]) : filters[name]}
              onChange={(value) => onChange({ [name]: name === 'principal' ? people.idOf(value) : value })}
              list={`known-${name}`}
            />
            <datalist id={`known-${name}`}>
              {known[name].map((value) => (
                <option key={value} value={name === 'principal' ? people.nameOf(value) : value} />
              ))}
            </datalist>
          </div>
        ))}
        <DayField
          label="First day"
          day={filters.from}
          max={filters.to}
          optional
          onChange={(from) =>
            onChange({
              from,
              to: filters.to !== '' && filters.to < from ? from : filters.to,
              ...(from === '' ? { fromTime: '' } : {}),
            })
          }
        />
        <TimeField
          label="From time"
          time={filters.fromTime}
          disabled={filters.from === ''}
          onChange={(fromTime) => onChange({ fromTime })}
        />
        <DayField
          label="Last day"
          day={filters.to}
          min={filters.from}
          optional
          onChange={(to) =>
            onChange({
              to,
              from: to !== '' && to < filters.from ? to : filters.from,
              ...(to === '' ? { toTime: '' } : {}),
            })
          }
        />
        <TimeField
          label="Before time"
          time={filters.toTime}
          disabled={filters.to === ''}
          onChange={(toTime) => onChange({ toTime })}
        />
      </div>
    </search>
  );
}
