import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { MakeATeam } from '../../components/make-a-team.tsx';
import { OrganisationChoice, useOrganisations } from '../../components/organisation-choice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { KeyList } from './key-list.tsx';
import type { Mine } from './mine.ts';
import { OrganisationList } from './organisation-list.tsx';
import styles from './people.module.css';
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
      <Panel title="More than one person">
        <div className={styles['stack']}>
          <MakeATeam />
        </div>
      </Panel>
    </>
  );
}

type Name = 'people' | 'keys' | 'roles' | 'organisations';

function Team({ operates, ...may }: Mine) {
  const administers = may.administers || operates;
  const organisations = useOrganisations();
  const [chosen, setChosen] = useState<string>();
  const [tab, setTab] = useState<Name>('people');
  const list = organisations.data ?? [];
  const organisation = list.find(({ id }) => id === chosen) ?? list[0];
  const tabs: Tab<Name>[] = [
    { name: 'people', title: 'People' },
    { name: 'keys', title: 'Keys' },
    { name: 'roles', title: 'Roles' },
    ...(operates ? [{ name: 'organisations' as const, title: 'Organisations' }] : []),
  ];
  const mine: Mine = { administers, operates, own: may.own };
  return (
    <>
      <PageHeader
        title="People and keys"
        actions={
          organisation === undefined ? null : (
            <OrganisationChoice organisations={list} chosen={organisation.id} onChoose={setChosen} />
          )
        }
      >
        {administers
          ? 'Who belongs to an organisation, and the keys with which they and their programs come in.'
          : 'Your own record and your own keys.'}
      </PageHeader>
      {organisations.isPending ? <Loading what="organisations" /> : null}
      {organisations.isError ? (
        <ErrorNote
          error={organisations.error}
          title="The organisations could not be read"
          retry={() => void organisations.refetch()}
        />
      ) : null}
      {organisations.isSuccess && organisation === undefined ? (
        <OrganisationList organisations={list} onChoose={setChosen} />
      ) : null}
      {organisation === undefined ? null : (
        <Tabs label={`Of ${organisation.name}`} tabs={tabs} chosen={tab} onChoose={setTab}>
          {tab === 'people' ? (
            <UserList key={organisation.id} organisation={organisation.id} mine={mine} />
          ) : null}
          {tab === 'keys' ? (
            <KeyList key={organisation.id} organisation={organisation.id} mine={mine} />
          ) : null}
          {tab === 'roles' ? (
            <RoleList key={organisation.id} organisation={organisation.id} mine={mine} />
          ) : null}
          {tab === 'organisations' ? <OrganisationList organisations={list} onChoose={setChosen} /> : null}
        </Tabs>
      )}
    </>
  );
}
