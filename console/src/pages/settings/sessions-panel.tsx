import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { say } from '../../components/states/said.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowAction } from '../../components/tables/row-action.tsx';
import { Time } from '../../components/time/time.tsx';
import { type ListedSession, useEndSession, useSessions } from './queries.ts';

const OPENED: Readonly<Record<ListedSession['openedWith'], string>> = {
  owner: 'Owner',
  token: 'Server token',
  approver: 'Approver token',
  key: 'Key',
  'sign-in': 'Sign-in token',
  provider: 'Identity provider',
};

/** Every browser that is signed in; the owner's, who can sign any of them out. */
export function SessionsPanel() {
  const sessions = useSessions();
  const end = useEndSession();
  const [asked, setAsked] = useState<ListedSession>();
  return (
    <Panel title="Browsers that are signed in" flush>
      <QueryState query={sessions} what="sessions" rows={2} title="The sessions could not be read" />
      {sessions.isSuccess ? (
        <DataTable
          caption="Browsers that are signed in"
          rows={sessions.data.sessions}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'with',
              title: 'With',
              cell: ({ openedWith, credential, mayDecide }) => (
                <>
                  {OPENED[openedWith]} {mayDecide ? <Badge tone="info">decides</Badge> : null}
                  {credential === undefined ? null : (
                    <>
                      <br />
                      <code>{credential}</code>
                    </>
                  )}
                </>
              ),
            },
            { key: 'used', title: 'Used', wide: true, cell: ({ usedAt }) => <Time at={usedAt} /> },
            {
              key: 'end',
              title: 'Actions',
              align: 'end',
              cell: (session) =>
                session.own ? (
                  <Badge tone="good">this one</Badge>
                ) : (
                  <RowAction to={browserWords(session)} onClick={() => setAsked(session)}>
                    Sign out
                  </RowAction>
                ),
            },
          ]}
        />
      ) : null}
      {asked === undefined ? null : (
        <Confirm
          title="Sign this browser out?"
          action="Sign out"
          sent={end}
          refused="The browser was not signed out"
          onClose={() => setAsked(undefined)}
          onConfirm={() =>
            end.mutate(asked.id, {
              onSuccess() {
                setAsked(undefined);
                say('The browser is signed out');
              },
            })
          }
        >
          <p>
            {OPENED[asked.openedWith]}, last used <Time at={asked.usedAt} />. Whoever uses it can sign in
            again with the same credential; revoke that, where it is not to be used any more.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}

/** Many may be signed in with the same. */
function browserWords({ openedWith, credential, usedAt }: ListedSession): string {
  const what = [OPENED[openedWith], credential].filter(Boolean).join(' ');
  return `${what}, used ${new Date(usedAt).toLocaleString()}`;
}
