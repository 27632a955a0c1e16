import { useParams, useSearchParams } from 'wouter';
import { type PageKey, usePageKeys } from '../../app/page-keys.ts';
import { useWaiting } from '../../app/page-title.ts';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Tabs } from '../../components/layout/tabs.tsx';
import { NotifyButton } from '../../components/notify-button.tsx';
import { HistoryList } from './history-list.tsx';
import { SessionNotice } from './session-notice.tsx';
import { SingleApproval } from './single-approval.tsx';
import { StandingList } from './standing-list.tsx';
import { WaitingList } from './waiting-list.tsx';

type Part = 'waiting' | 'history' | 'standing';

const KEYS: readonly PageKey[] = [
  ['j k', 'To the next card that waits, to the one before'],
  ['a', 'Approve; what destroys asks for a second press'],
  ['e', 'Edit the arguments, review the difference, approve'],
  ['r', 'Reject, with a reason if you like'],
  ['A', 'Approve from now on, where the card offers it'],
];

export default function ApprovalsPage() {
  const { id } = useParams<{ id?: string }>();
  usePageKeys(KEYS);
  return (
    <>
      <PageHeader title="Approvals" actions={<NotifyButton />}>
        Calls that wait for a person. The model that makes them cannot decide.
      </PageHeader>
      <SessionNotice />
      {id === undefined ? <Parts /> : <SingleApproval key={id} id={id} />}
    </>
  );
}

function Parts() {
  const waiting = useWaiting();
  const [query, setQuery] = useSearchParams();
  const part = partOf(query.get('show'));
  return (
    <Tabs<Part>
      label="Approvals"
      chosen={part}
      onChoose={(name) => setQuery(name === 'waiting' ? {} : { show: name }, { replace: true })}
      tabs={[
        { name: 'waiting', title: waiting === 0 ? 'Waiting' : `Waiting (${waiting})` },
        { name: 'history', title: 'History' },
        { name: 'standing', title: 'From now on' },
      ]}
    >
      {part === 'waiting' ? <WaitingList /> : null}
      {part === 'history' ? <HistoryList /> : null}
      {part === 'standing' ? <StandingList /> : null}
    </Tabs>
  );
}

function partOf(named: string | null): Part {
  return named === 'history' || named === 'standing' ? named : 'waiting';
}
