import type { ApprovalState } from '../../../../gateway/src/operations/index.ts';
import { Field } from '../../components/forms/field.tsx';
import { FilterFields } from '../../components/forms/filter-fields.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { STATES } from './approval-states.ts';
import styles from './approvals.module.css';
import type { HistoryFilter, ShownApproval } from './queries.ts';

interface HistoryFiltersProps {
  readonly filter: HistoryFilter;
  /** What is listed, for suggestions. */
  readonly rows: readonly ShownApproval[];
  readonly onChange: (name: keyof HistoryFilter, value: string) => void;
}

/** Fields whose names are typed, in their order. */
const LABELS = { tool: 'Tool', source: 'Source', principal: 'Caller' } as const;
type Named = keyof typeof LABELS;

/** A name counts once it is whole: on Enter, or when the field is left. */
export function HistoryFilters({ filter, rows, onChange }: HistoryFiltersProps) {
  const { nameOf, idOf } = usePeople();
  const textOf = (name: Named, value = '') => (name === 'principal' ? nameOf(value) : value);
  const change = (name: Named, text: string) =>
    onChange(name, name === 'principal' ? idOf(text.trim()) : text.trim());
  return (
    <search className={styles['filters']}>
      <form onSubmit={(event) => event.preventDefault()}>
        <FilterFields inForce={Object.values(filter).filter((value) => value !== undefined).length}>
          <Field label="State">
            <select value={filter.state ?? ''} onChange={(event) => onChange('state', event.target.value)}>
              <option value="">Any</option>
              {(Object.keys(STATES) as ApprovalState[]).map((state) => (
                <option key={state} value={state}>
                  {STATES[state].label}
                </option>
              ))}
            </select>
          </Field>
          {(Object.keys(LABELS) as Named[]).map((name) => (
            <Field key={name} label={LABELS[name]}>
              <input
                // begins anew when it is changed from outside
                key={textOf(name, filter[name])}
                type="search"
                list={`approval-${name}s`}
                defaultValue={textOf(name, filter[name])}
                placeholder="Any"
                autoComplete="off"
                onBlur={(event) => change(name, event.target.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') change(name, event.currentTarget.value);
                }}
              />
            </Field>
          ))}
        </FilterFields>
        <Suggestions id="approval-tools" values={rows.map(({ tool }) => tool)} />
        <Suggestions id="approval-sources" values={rows.map(({ source }) => source)} />
        <Suggestions id="approval-principals" values={rows.map(({ principal }) => nameOf(principal))} />
      </form>
    </search>
  );
}

function Suggestions({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
  return (
    <datalist id={id}>
      {[...new Set(values)].slice(0, 50).map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
