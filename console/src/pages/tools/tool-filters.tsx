import { useEffect, useRef, useState } from 'react';
import { type PageKey, usePageKeys, useSearchKey } from '../../app/page-keys.ts';
import { Field } from '../../components/forms/field.tsx';
import { FilterFields } from '../../components/forms/filter-fields.tsx';
import type { ListFilter } from './list-filter.ts';
import styles from './tools.module.css';

interface ToolFiltersProps {
  readonly filter: ListFilter;
  readonly sources: readonly string[];
  readonly onChange: (change: Partial<ListFilter>) => void;
}

const KEYS: readonly PageKey[] = [
  ['/', 'To the search'],
  ['j k', 'To the next tool, to the one before'],
  ['Enter', 'Opens it'],
];

/** How long typing may pause before the list follows, milliseconds. */
const PAUSE = 180;

/** Words, and what narrows them. `/` goes to the words. */
export function ToolFilters({ filter, sources, onChange }: ToolFiltersProps) {
  const [typed, setTyped] = useState(filter.q);
  const box = useRef<HTMLInputElement>(null);
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => {
    if (typed === filter.q) return;
    const timer = setTimeout(() => change.current({ q: typed }), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, filter.q]);
  useSearchKey(box);
  usePageKeys(KEYS);
  const select = (name: 'source' | 'access' | 'state', label: string, options: readonly string[]) => (
    <Field label={label}>
      <select value={filter[name]} onChange={({ target }) => onChange({ [name]: target.value })}>
        <option value="">Any</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </Field>
  );
  const byModel = filter.find === 'model' && filter.q !== '';
  return (
    <search className={styles['filters']}>
      <div className={styles['words']}>
        <Field label="Find">
          <input
            ref={box}
            type="search"
            value={typed}
            maxLength={200}
            placeholder="What somebody wants to do"
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      </div>
      <FilterFields inForce={inForce(filter, byModel)}>
        <Field label="Ranked">
          <select
            value={filter.find}
            onChange={({ target }) => onChange({ find: target.value === 'name' ? 'name' : 'model' })}
          >
            <option value="model">as a model finds it</option>
            <option value="name">by name</option>
          </select>
        </Field>
        {select('source', 'Source', sources)}
        {byModel ? null : select('access', 'Access', ['read', 'write', 'delete'])}
        {byModel ? null : select('state', 'State', ['listed', 'reachable', 'gated', 'hidden'])}
      </FilterFields>
    </search>
  );
}

/** Beside the words, which are seen. */
function inForce({ find, source, access, state }: ListFilter, byModel: boolean): number {
  const narrowed = byModel ? [source] : [source, access, state];
  return narrowed.filter((value) => value !== '').length + (find === 'name' ? 1 : 0);
}
