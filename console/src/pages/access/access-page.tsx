import { useSession } from '../../api/session.ts';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import {
  OrganisationChoice,
  OrganisationGone,
  useChosenOrganisation,
} from '../../components/people/organisation-choice.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
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
  const { query, list, organisation, gone, choose } = useChosenOrganisation();
  return (
    <>
      <PageHeader
        title="Access"
        actions={
          organisation === undefined ? null : (
            <OrganisationChoice organisations={list} chosen={organisation.id} onChoose={choose} />
          )
        }
      >
        What each person may do with each source: the lower of what the organisation allows and what the
        person chose, once an account is connected.
      </PageHeader>
      <QueryState query={query} what="organisations" title="The organisations could not be read" />
      <OrganisationGone gone={gone} organisation={organisation} />
      {query.data?.length === 0 ? (
        <Panel>
          <EmptyState title="There is no organisation yet">
            <p>The page People and keys makes the first one.</p>
          </EmptyState>
        </Panel>
      ) : null}
      {organisation === undefined ? null : (
        <TeamAccess key={organisation.id} organisation={organisation.id} />
      )}
    </>
  );
}
