import type {
  AccessMatrix,
  MatrixRow,
} from '../../../../gateway/src/server/http/admin/access-administration.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Checkboxes } from '../../components/forms/checkboxes.tsx';
import { Parts } from '../../components/layout/stack.tsx';
import { UserStateField } from '../../components/people/user-state-field.tsx';
import styles from './access.module.css';
import { subjectOf } from './edits.ts';
import type { Editing } from './level-editor.tsx';

interface PersonPanelProps extends Editing {
  readonly person: MatrixRow;
  readonly matrix: AccessMatrix;
  readonly onClose: () => void;
}

/** A person as a whole: roles and status to edit, and what is held. */
export function PersonPanel({ person, matrix, changes, edit, undo, onClose }: PersonPanelProps) {
  const pending = changes.find((change) => change.kind === 'user' && change.user === person.id);
  const edited = pending?.kind === 'user' ? pending : undefined;
  const roles = edited?.roles ?? person.roles;
  const status = edited?.status ?? person.status;
  const change = (next: { roles?: readonly string[]; status?: 'active' | 'disabled' }) => {
    const after = { roles, status, ...next };
    const sameRoles = [...after.roles].sort().join() === [...person.roles].sort().join();
    const sameStatus = after.status === person.status;
    if (sameRoles && sameStatus) return undo(subjectOf({ kind: 'user', user: person.id }));
    edit({
      kind: 'user',
      user: person.id,
      ...(sameRoles ? {} : { roles: after.roles }),
      ...(sameStatus ? {} : { status: after.status }),
    });
  };
  return (
    <Dialog title={person.name} onClose={onClose}>
      <Parts>
        <Facts
          of={[
            ['Id', <code key="id">{person.id}</code>],
            ['Roles', person.held.join(', ') || 'none'],
            ['Permissions', person.permissions.join(', ') || 'none'],
            ['Features', person.features.join(', ') || 'none'],
          ]}
        />
        {matrix.manages ? (
          <>
            <fieldset className={styles['editor']}>
              <legend>Roles</legend>
              <Checkboxes
                what="roles"
                names={matrix.roles}
                chosen={roles}
                onChange={(next) => change({ roles: next })}
              />
            </fieldset>
            <UserStateField
              hint="A disabled person may do nothing; keys and levels stay for later."
              value={status}
              onChange={(next) => change({ status: next })}
            />
          </>
        ) : null}
      </Parts>
    </Dialog>
  );
}
