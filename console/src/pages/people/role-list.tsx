import { type FormEvent, useId, useState } from 'react';
import type { Role } from '../../../../gateway/src/principals/records.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Loading } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Mine } from './mine.ts';
import styles from './people.module.css';
import { useRemoveRole, useRoles, useSetRole } from './queries.ts';

interface RoleListProps {
  readonly organisation: string;
  readonly mine: Mine;
}

/** Roles with the permissions that they hold; `admin` is built in. */
export function RoleList({ organisation, mine }: RoleListProps) {
  const roles = useRoles(organisation);
  const remove = useRemoveRole();
  const [editing, setEditing] = useState<Role | 'new'>();
  const [removing, setRemoving] = useState<Role>();
  return (
    <Panel
      title="Roles"
      actions={
        mine.administers ? (
          <Button variant="primary" size="s" onClick={() => setEditing('new')}>
            Add a role
          </Button>
        ) : undefined
      }
      flush
    >
      {roles.isPending ? <Loading what="roles" /> : null}
      {roles.isError ? (
        <ErrorNote
          error={roles.error}
          title="The roles could not be read"
          retry={() => void roles.refetch()}
        />
      ) : null}
      {roles.data === undefined ? null : (
        <DataTable
          caption="Roles"
          rows={roles.data}
          rowKey={({ name }) => name}
          columns={[
            {
              key: 'name',
              title: 'Role',
              cell: ({ name }) => <span className={styles['name']}>{name}</span>,
            },
            {
              key: 'permissions',
              title: 'Permissions',
              cell: ({ name, permissions }) =>
                permissions.join(', ') ||
                (name === 'admin' ? 'manages the organisation' : 'the one of its own name'),
            },
            {
              key: 'actions',
              title: 'Actions',
              align: 'end',
              cell: (role) =>
                mine.administers ? (
                  <span className={styles['row']}>
                    <Button
                      size="s"
                      variant="quiet"
                      aria-label={`Change ${role.name}`}
                      onClick={() => setEditing(role)}
                    >
                      Change
                    </Button>
                    {role.name === 'admin' ? null : (
                      <Button
                        size="s"
                        variant="quiet"
                        aria-label={`Remove ${role.name}`}
                        onClick={() => setRemoving(role)}
                      >
                        Remove
                      </Button>
                    )}
                  </span>
                ) : null,
            },
          ]}
        />
      )}
      {editing === undefined ? null : (
        <RoleDialog
          organisation={organisation}
          role={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing === undefined ? null : (
        <Confirm
          title={`Remove the role ${removing.name}?`}
          action="Remove"
          busy={remove.isPending}
          onClose={() => setRemoving(undefined)}
          onConfirm={() =>
            remove.mutate({ organisation, name: removing.name }, { onSuccess: () => setRemoving(undefined) })
          }
        >
          {remove.isError ? <ErrorNote error={remove.error} title="The role was not removed" /> : null}
          <p>Whoever holds it loses its permissions at the next call.</p>
        </Confirm>
      )}
    </Panel>
  );
}

interface RoleDialogProps {
  readonly organisation: string;
  readonly role: Role | undefined;
  readonly onClose: () => void;
}

function RoleDialog({ organisation, role, onClose }: RoleDialogProps) {
  const form = useId();
  const set = useSetRole();
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState(role?.permissions.join('\n') ?? '');
  const send = (event: FormEvent) => {
    event.preventDefault();
    const lines = permissions.split('\n').map((line) => line.trim());
    set.mutate(
      { organisation, name: name.trim(), permissions: lines.filter((line) => line !== '') },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog
      title={role === undefined ? 'Add a role' : `Role ${role.name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} disabled={set.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} className={styles['stack']} onSubmit={send}>
        {set.isError ? <ErrorNote error={set.error} title="The role was not saved" /> : null}
        {role === undefined ? (
          <Field label="Name" required>
            <input
              value={name}
              pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
              maxLength={128}
              onChange={({ target }) => setName(target.value)}
            />
          </Field>
        ) : null}
        <Field label="Permissions" hint="One a line. A role also holds the permission of its own name.">
          <textarea value={permissions} onChange={({ target }) => setPermissions(target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
