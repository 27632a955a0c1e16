import { Checkboxes } from '../../components/forms/checkboxes.tsx';
import { Legend } from '../../components/forms/field.tsx';
import styles from './people.module.css';

interface RoleChoicesProps {
  readonly roles: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Roles of the organisation, to tick. */
export function RoleChoices({ roles, chosen, onChange }: RoleChoicesProps) {
  return (
    <fieldset>
      <Legend>Roles</Legend>
      {roles.length === 0 ? <p className={styles['soft']}>The organisation has none.</p> : null}
      <Checkboxes what="roles" names={roles} chosen={chosen} onChange={onChange} />
      <p className={styles['soft']}>admin manages the organisation; others hold permissions.</p>
    </fieldset>
  );
}
