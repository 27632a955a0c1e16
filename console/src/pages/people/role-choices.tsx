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
      <legend className={styles['legend']}>Roles</legend>
      {roles.length === 0 ? <p className={styles['soft']}>The organisation has none.</p> : null}
      <div className={styles['choices']}>
        {roles.map((role) => (
          <label key={role}>
            <input
              type="checkbox"
              checked={chosen.includes(role)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, role] : chosen.filter((one) => one !== role))
              }
            />{' '}
            {role}
          </label>
        ))}
      </div>
      <p className={styles['soft']}>admin manages the organisation; others hold permissions.</p>
    </fieldset>
  );
}
