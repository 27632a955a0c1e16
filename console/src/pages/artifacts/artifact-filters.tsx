import { useSession } from '../../api/session.ts';
import { Field } from '../../components/forms/field.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import type { People } from '../../components/people/use-people.ts';
import { visibleText } from '../../components/visible-text.ts';
import styles from './artifacts.module.css';
import type { ArtifactFilter } from './queries.ts';

interface ArtifactFiltersProps {
  readonly filter: ArtifactFilter;
  readonly people: People;
  readonly onChange: (change: Partial<ArtifactFilter>) => void;
}

/** By text in the name, which is that of the operation; by person where there are several. */
export function ArtifactFilters({ filter: { q, user }, people, onChange }: ArtifactFiltersProps) {
  // everybody else sees the own ones
  const operates = useSession().data?.can.operate === true;
  return (
    <search className={styles['filters']} aria-label="Artifacts">
      <TextField
        label="Text in the name"
        type="search"
        value={q}
        onChange={(text) => onChange({ q: text })}
      />
      {!operates || (people.sorted.length < 2 && user === '') ? null : (
        <Field label="Owner">
          <select value={user} onChange={({ target }) => onChange({ user: target.value })}>
            <option value="">Any</option>
            {people.sorted.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {user === '' || people.names.has(user) ? null : <option value={user}>{visibleText(user)}</option>}
          </select>
        </Field>
      )}
    </search>
  );
}
