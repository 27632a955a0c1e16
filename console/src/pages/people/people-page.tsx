import { useSearchParams } from 'wouter';
import { useSession } from '../../api/session.ts';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { type Tab, Tabs } from '../../components/layout/tabs.tsx';
import { MakeATeam } from '../../components/people/make-a-team.tsx';
import {
  OrganisationChoice,
  OrganisationGone,
  useChosenOrganisation,
} from '../../components/people/organisation-choice.tsx';
import { Loading } from '../../components/states/loading.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { KeyList } from './key-list.tsx';
import type { Mine } from './mine.ts';
import { OrganisationList } from './organisation-list.tsx';
import { useFollowedPeople } from './queries.ts';
import { RoleList } from './role-list.tsx';
import { UserList } from './user-list.tsx';

/** Organisations, their people, keys and roles. */
export default function PeoplePage() {
  const { data: session } = useSession();
  useFollowedPeople();
  if (session === undefined) return <Loading what="people" />;
  if (session.mode !== 'team') return <NoTeam />;
  return (
    <Team operates={session.can.operate} administers={session.can.administer} own={session.principal?.id} />
  );
}

function NoTeam() {
  return (
    <>
      <PageHeader title="People and keys">
        This gateway has one caller, its owner: there are no users and no keys.
      </PageHeader>
      <MakeATeam />
    </>
  );
}

type Name = 'people' | 'keys' | 'roles' | 'organisations';

function Team({ operates, ...may }: Mine) {
  const administers = may.administers || operates;
  const { query: read, list, organisation, gone, choose } = useChosenOrganisation();
  const [query, setQuery] = useSearchParams();
  const tabs: Tab<Name>[] = [
    { name: 'people', title: 'People' },
    { name: 'keys', title: 'Keys' },
    { name: 'roles', title: 'Roles' },
    ...(operates ? [{ name: 'organisations' as const, title: 'Organisations' }] : []),
  ];
  const tab = tabs.find(({ name }) => name === query.get('show'))?.name ?? 'people';
  const mine: Mine = { administers, operates, own: may.own };
  return (
    <>
      <PageHeader
        title="People and keys"
        actions={
          organisation === undefined ? null : (
            <OrganisationChoice organisations={list} chosen={organisation.id} onChoose={choose} />
          )
        }
      >
        {administers
          ? 'Who belongs to an organisation, and the keys with which they and their programs come in.'
          : 'Your own record and your own keys.'}
      </PageHeader>
      <QueryState query={read} what="organisations" title="The organisations could not be read" />
      <OrganisationGone gone={gone} organisation={organisation} />
      {read.isSuccess && organisation === undefined ? (
        <OrganisationList organisations={list} onChoose={choose} />
      ) : null}
      {organisation === undefined ? null : (
        <Tabs
          label={`Of ${organisation.name}`}
          tabs={tabs}
          chosen={tab}
          onChoose={(name) => setQuery(name === 'people' ? {} : { show: name }, { replace: true })}
        >
          {tab === 'people' ? (
            <UserList key={organisation.id} organisation={organisation.id} mine={mine} />
          ) : null}
          {tab === 'keys' ? (
            <KeyList key={organisation.id} organisation={organisation.id} mine={mine} />
          ) : null}
          {tab === 'roles' ? (
            <RoleList key={organisation.id} organisation={organisation.id} mine={mine} />
          ) : null}
          {tab === 'organisations' ? <OrganisationList organisations={list} onChoose={choose} /> : null}
        </Tabs>
      )}
    </>
  );
}
