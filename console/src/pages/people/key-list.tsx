import { useState } from 'react';
import type { ApiKey } from '../../../../gateway/src/principals/directory/records.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { Field } from '../../components/forms/field.tsx';
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
import { useKeys, useRevokeKey, useUsers } from './queries.ts';

const TONES: Readonly<Record<ApiKey['status'], Tone>> = { active: 'good', expired: 'warn', revoked: 'bad' };

interface KeyListProps {
  readonly organisation: string;
  readonly mine: Mine;
}

/** Keys of an organisation; whoever is no admin sees the own ones. */
export function KeyList({ organisation, mine }: KeyListProps) {
  const keys = useKeys(organisation);
  const users = useUsers(organisation);
  const revoke = useRevokeKey();
  const [status, setStatus] = useState<'active' | 'all'>('active');
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const names = namesOf(users.data ?? []);
  const ownerOf = ({ user }: ApiKey) => names.get(user) ?? user;
  const shown = (keys.data ?? []).filter((key) => status === 'all' || key.status === 'active');
  const active = users.data?.filter((user) => user.status === 'active') ?? [];
  return (
    <Panel
      title="Keys"
      actions={
        mine.administers && active.length > 0 ? (
          <Button variant="primary" size="s" onClick={() => setMaking(true)}>
            New key
          </Button>
        ) : undefined
      }
      flush
    >
      <QueryState query={keys} what="keys" title="The keys could not be read" />
      {keys.data === undefined ? null : (
        <FilteredRows
          what="keys"
          one="key"
          inset
          rows={shown}
          wordsOf={(key) => [key.id, key.name, key.hint, key.user, ownerOf(key), mayWords(key)].join(' ')}
          total={shown.length}
          more={
            <Field label="Which keys" quiet>
              <select value={status} onChange={({ target }) => setStatus(target.value as 'active' | 'all')}>
                <option value="active">In use</option>
                <option value="all">Revoked and expired too</option>
              </select>
            </Field>
          }
          none={
            <EmptyState title="No keys">
              <p>A key lets a person or a program of theirs come in; it is shown once, when it is made.</p>
            </EmptyState>
          }
        >
          {(found) => (
            <DataTable
              caption="Keys"
              rows={found}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: 'name',
                  title: 'Name',
                  cell: (key) => (
                    <>
                      <span className={styles['name']}>{visibleText(key.name)}</span>
                      <span className={styles['soft']}>
                        {ownerOf(key)}, <code>{key.hint}…</code>
                      </span>
                    </>
                  ),
                },
                { key: 'may', title: 'May', wide: true, cell: mayWords },
                {
                  key: 'status',
                  title: 'State',
                  cell: (key) => <Badge tone={TONES[key.status]}>{key.status}</Badge>,
                },
                {
                  key: 'used',
                  title: 'Last used',
                  wide: true,
                  cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
                },
                {
                  key: 'expires',
                  title: 'Ends',
                  wide: true,
                  cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />),
                },
                {
                  key: 'actions',
                  title: 'Actions',
                  align: 'end',
                  cell: (key) =>
                    key.status === 'revoked' || !(mine.administers || key.user === mine.own) ? null : (
                      <RowAction
                        to={`${key.name} of ${ownerOf(key)}, ${key.hint}`}
                        onClick={() => setRevoking(key)}
                      >
                        Revoke
                      </RowAction>
                    ),
                },
              ]}
            />
          )}
        </FilteredRows>
      )}
      {making ? <KeyDialog users={active} operates={mine.operates} onClose={() => setMaking(false)} /> : null}
      {revoking === undefined ? null : (
        <Confirm
          title={`Revoke the key ${visibleText(revoking.name)}?`}
          action="Revoke"
          sent={revoke}
          refused="The key was not revoked"
          onClose={() => setRevoking(undefined)}
          onConfirm={() =>
            revoke.mutate(revoking.id, {
              onSuccess() {
                setRevoking(undefined);
                say(`The key ${revoking.name} of ${ownerOf(revoking)} is revoked`);
              },
            })
          }
        >
          <p>
            It is the key <code>{revoking.hint}…</code> of {ownerOf(revoking)}
            {revoking.lastUsedAt === null ? (
              ', never used'
            ) : (
              <>
                , last used <Time at={revoking.lastUsedAt} />
              </>
            )}
            . Whatever uses it is refused at the next call, on every process, open sessions included. It
            cannot be taken back.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}

/** What a key allows at most, in words. */
function mayWords({ maxAccess, sources, purpose }: ApiKey): string {
  if (purpose === 'approve') return 'decide approvals';
  const words = { read: 'read', write: 'read and write', delete: 'read, write and delete' }[maxAccess];
  return sources === null ? words : `${words} ${sources.join(', ')}`;
}
