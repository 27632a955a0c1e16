import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { OrganisationChoice, useOrganisations } from '../../components/organisation-choice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { ConfigurationAccess } from './configuration-access.tsx';
import { useFollowedAccess } from './queries.ts';
import { TeamAccess } from './team-access.tsx';

/** Who may do what: a team's matrix, or what the configuration says where there is no team. */
export default function AccessPage() {
  const { data: session } = useSession();
  useFollowedAccess();
  if (session === undefined) return <Loading what="access" />;
  return session.mode === 'team' ? <AccessOfTeam /> : <ConfigurationAccess />;
}

function AccessOfTeam() {
  const organisations = useOrganisations();
  const [chosen, setChosen] = useState<string>();
  const organisation = chosen ?? organisations.data?.[0]?.id;
  return (
    <>
      <PageHeader
        title="Access"
        actions={
          organisations.data === undefined || organisation === undefined ? null : (
            <OrganisationChoice
              organisations={organisations.data}
              chosen={organisation}
              onChoose={setChosen}
            />
          )
        }
      >
        What each person may do with each source: the lower of what the organisation allows and what the
        person chose, once an account is connected.
      </PageHeader>
      {organisations.isPending ? <Loading what="organisations" /> : null}
      {organisations.isError ? (
        <ErrorNote
          error={organisations.error}
          title="The organisations could not be read"
          retry={() => void organisations.refetch()}
        />
      ) : null}
      {organisations.data?.length === 0 ? (
        <Panel>
          <EmptyState title="There is no organisation yet">
            <p>The page People and keys makes the first one.</p>
          </EmptyState>
        </Panel>
      ) : null}
      {organisation === undefined ? null : <TeamAccess key={organisation} organisation={organisation} />}
    </>
  );
}
