import { useState } from 'react';
import type { Role } from '../../../../gateway/src/principals/directory/records.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { say } from '../../components/states/said.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { FilteredRows } from '../../components/tables/filtered-rows.tsx';
import { RowAction } from '../../components/tables/row-action.tsx';
import type { Mine } from './mine.ts';
import styles from './people.module.css';
import { useRemoveRole, useRoles } from './queries.ts';
import { RoleDialog } from './role-dialog.tsx';

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
      <QueryState query={roles} what="roles" title="The roles could not be read" />
      {roles.data === undefined ? null : (
        <FilteredRows
          what="roles"
          one="role"
          few={20}
          inset
          rows={roles.data}
          wordsOf={({ name, permissions }) => [name, ...permissions].join('\n')}
          total={roles.data.length}
        >
          {(shown) => (
            <DataTable
              caption="Roles"
              rows={shown}
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
                  wide: true,
                  cell: ({ name, permissions }) =>
                    permissions.join(', ') ||
                    (name === 'admin' ? 'manages the organisation' : 'the one of its own name'),
                },
                {
                  key: 'actions',
                  title: 'Actions',
                  align: 'end',
                  shown: mine.administers,
                  cell: (role) => (
                    <span className={styles['row']}>
                      <RowAction to={role.name} onClick={() => setEditing(role)}>
                        Change
                      </RowAction>
                      {role.name === 'admin' ? null : (
                        <RowAction to={role.name} onClick={() => setRemoving(role)}>
                          Remove
                        </RowAction>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </FilteredRows>
      )}
      {editing === undefined ? null : (
        <RoleDialog
          organisation={organisation}
          role={editing === 'new' ? undefined : editing}
          taken={roles.data?.map(({ name }) => name) ?? []}
          readAgain={async () => (await roles.refetch()).data}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing === undefined ? null : (
        <Confirm
          title={`Remove the role ${removing.name}?`}
          action="Remove"
          sent={remove}
          refused="The role was not removed"
          onClose={() => setRemoving(undefined)}
          onConfirm={() =>
            remove.mutate(
              { organisation, name: removing.name },
              {
                onSuccess() {
                  setRemoving(undefined);
                  say(`The role ${removing.name} is removed`);
                },
              },
            )
          }
        >
          <p>Whoever holds it loses its permissions at the next call.</p>
        </Confirm>
      )}
    </Panel>
  );
}
