import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CONNECTION_WORDS } from '../../components/connection-words.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { usePeople } from '../../components/people/use-people.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { FilteredRows } from '../../components/tables/filtered-rows.tsx';
import { Under } from '../../components/tables/under.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { ConnectAccount } from './connect-account.tsx';
import { ConnectionActions } from './connection-actions.tsx';
import { type ConnectionRecord, useConnectable, useConnections } from './connection-queries.ts';
import styles from './sources.module.css';

const TONES = { connected: 'good', unauthenticated: 'warn', disabled: 'neutral' } as const;

/** Whoever keeps the credential says so, whatever the record does. */
function isEnded(one: ConnectionRecord): one is ConnectionRecord & { readonly reconnectSince: string } {
  return one.status === 'connected' && one.reconnectSince !== null;
}

const stateOf = (one: ConnectionRecord) => (isEnded(one) ? 'unauthenticated' : one.status);

/** Accounts at providers: the organisation's, and the own ones. */
export function ConnectionList() {
  const { nameOf, organisationOf } = usePeople();
  const session = useSession().data;
  const me = session?.principal;
  const connections = useConnections();
  const connectable = useConnectable();
  const { data } = connections;
  const [connecting, setConnecting] = useState(false);
  if (data?.kept === false)
    return (
      <EmptyState title="Accounts stand in the configuration">
        <p>
          Everybody on this gateway uses the accounts that its sources name. In a team, organisations and
          users connect accounts of their own here.
        </p>
      </EmptyState>
    );
  const ownerOf = ({ user, organisation }: ConnectionRecord) => {
    if (user !== null) return user === me?.id ? 'Mine' : nameOf(user);
    // the operator sees those of every organisation
    return session?.can.operate === true ? `All of ${organisationOf(organisation)}` : 'The organisation’s';
  };
  const mayChange = ({ user }: ConnectionRecord) =>
    session?.can.operate === true || session?.can.administer === true || (user !== null && user === me?.id);
  const columns: ReadonlyArray<Column<ConnectionRecord>> = [
    {
      key: 'name',
      title: 'Account',
      cell: ({ name, source }) => (
        <>
          {visibleText(name)}
          <Under>{visibleText(source)}</Under>
        </>
      ),
    },
    {
      key: 'status',
      title: 'State',
      wide: true,
      cell: (one) => (
        <>
          <Badge tone={TONES[stateOf(one)]}>{CONNECTION_WORDS[stateOf(one)]}</Badge>
          {isEnded(one) ? (
            <Under>
              first found by a call <Time at={one.reconnectSince} />
            </Under>
          ) : null}
        </>
      ),
    },
    {
      key: 'owner',
      title: 'Whose',
      wide: true,
      cell: ownerOf,
    },
    { key: 'changed', title: 'Changed', wide: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      key: 'actions',
      title: 'Actions',
      align: 'end',
      shown: data?.connections.some(mayChange) === true,
      cell: (one) => (mayChange(one) ? <ConnectionActions connection={one} /> : null),
    },
  ];
  return (
    <>
      <QueryState query={connections} what="connections" title="The connections could not be read" />
      {me?.kind === 'user' && !connections.isPending && connectable !== undefined ? (
        <div className={styles['filters']}>
          {connectable.length === 0 ? (
            <p>
              No source here has accounts that its users connect: the operator of the gateway records them.
            </p>
          ) : (
            <Button onClick={() => setConnecting(true)}>Connect an account</Button>
          )}
        </div>
      ) : null}
      {data?.connections.length === 0 ? (
        <EmptyState title="No account is connected">
          <p>
            A connection says with which account calls go to a provider. The organisation’s counts for
            everybody, one’s own before it.
          </p>
        </EmptyState>
      ) : null}
      {data === undefined || data.connections.length === 0 ? null : (
        <Panel flush>
          <FilteredRows
            what="connections"
            one="connection"
            inset
            few={20}
            rows={data.connections}
            wordsOf={(one) =>
              [one.name, one.source, ownerOf(one), one.user, CONNECTION_WORDS[stateOf(one)]].join(' ')
            }
            total={data.connections.length}
          >
            {(shown) => (
              <DataTable caption="Connections" columns={columns} rows={shown} rowKey={({ id }) => id} />
            )}
          </FilteredRows>
        </Panel>
      )}
      {connecting ? <ConnectAccount onClose={() => setConnecting(false)} /> : null}
    </>
  );
}
