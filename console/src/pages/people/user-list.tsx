import { useState } from 'react';
import type { User } from '../../../../gateway/src/principals/directory/records.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { namesOf } from '../../components/people/names-of.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { say } from '../../components/states/said.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { FilteredRows } from '../../components/tables/filtered-rows.tsx';
import { RowAction } from '../../components/tables/row-action.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { KeyDialog } from './key-dialog.tsx';
import type { Mine } from './mine.ts';
import styles from './people.module.css';
import { useRemoveUser, useRoles, useUsers } from './queries.ts';
import { UserDialog } from './user-dialog.tsx';

interface UserListProps {
  readonly organisation: string;
  readonly mine: Mine;
}

type Opened = { readonly what: 'new' } | { readonly what: 'change' | 'remove' | 'key'; readonly user: User };

/** People of an organisation; whoever is no admin sees the own record. */
export function UserList({ organisation, mine }: UserListProps) {
  const users = useUsers(organisation);
  const roles = useRoles(organisation);
  const remove = useRemoveUser();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const roleNames = roles.data?.map(({ name }) => name) ?? [];
  const names = namesOf(users.data ?? []);
  return (
    <Panel
      title="People"
      actions={
        mine.administers ? (
          <Button variant="primary" size="s" onClick={() => setOpened({ what: 'new' })}>
            Add a person
          </Button>
        ) : undefined
      }
      flush
    >
      <QueryState query={users} what="people" title="The people could not be read" />
      {users.data?.length === 0 ? (
        <EmptyState title="Nobody belongs to this organisation yet">
          <p>Add a person, then make a key for them.</p>
        </EmptyState>
      ) : null}
      {users.data === undefined || users.data.length === 0 ? null : (
        <FilteredRows
          what="people"
          one="person"
          inset
          rows={users.data}
          wordsOf={({ id, name, email, roles: held }) => [id, name, email, ...held].join(' ')}
          total={users.data.length}
        >
          {(shown) => (
            <DataTable
              caption="People"
              rows={shown}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: 'name',
                  title: 'Name',
                  cell: ({ id, name, email }) => (
                    <>
                      <span className={styles['name']}>
                        {visibleText(name)}
                        {id === mine.own ? <span className={styles['soft']}> (you)</span> : null}
                      </span>
                      <span className={styles['soft']}>
                        {email === null ? null : `${email} · `}
                        <code>{id}</code>
                      </span>
                    </>
                  ),
                },
                {
                  key: 'roles',
                  title: 'Roles',
                  // a name has room for its words
                  wide: true,
                  cell: ({ roles: held }) => (
                    <span className={styles['badges']}>
                      {held.length === 0 ? <span className={styles['soft']}>none</span> : null}
                      {held.map((role) => (
                        <Badge key={role}>{role}</Badge>
                      ))}
                    </span>
                  ),
                },
                {
                  key: 'status',
                  title: 'State',
                  wide: true,
                  cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>,
                },
                {
                  key: 'since',
                  title: 'Since',
                  wide: true,
                  cell: ({ createdAt }) => <Time at={createdAt} />,
                },
                {
                  key: 'actions',
                  title: 'Actions',
                  align: 'end',
                  shown: mine.administers,
                  cell: (user) => (
                    <span className={styles['row']}>
                      <RowAction
                        to={`for ${names.get(user.id)}`}
                        onClick={() => setOpened({ what: 'key', user })}
                      >
                        New key
                      </RowAction>
                      <RowAction to={names.get(user.id)!} onClick={() => setOpened({ what: 'change', user })}>
                        Change
                      </RowAction>
                      <RowAction to={names.get(user.id)!} onClick={() => setOpened({ what: 'remove', user })}>
                        Remove
                      </RowAction>
                    </span>
                  ),
                },
              ]}
            />
          )}
        </FilteredRows>
      )}
      {opened?.what === 'new' ? (
        <UserDialog organisation={organisation} roles={roleNames} onClose={close} />
      ) : null}
      {opened?.what === 'change' ? (
        <UserDialog organisation={organisation} user={opened.user} roles={roleNames} onClose={close} />
      ) : null}
      {opened?.what === 'key' ? (
        <KeyDialog users={[opened.user]} operates={mine.operates} onClose={close} />
      ) : null}
      {opened?.what === 'remove' ? (
        <Confirm
          title={`Remove ${names.get(opened.user.id) ?? opened.user.name}?`}
          action="Remove"
          sent={remove}
          refused="Nobody was removed"
          onClose={close}
          onConfirm={() =>
            remove.mutate(opened.user.id, {
              onSuccess() {
                close();
                say(`${names.get(opened.user.id) ?? opened.user.name} is removed`);
              },
            })
          }
        >
          <p>
            Keys, levels and own accounts of {names.get(opened.user.id)} go along. What was called stays in
            the log.
          </p>
        </Confirm>
      ) : null}
    </Panel>
  );
}
