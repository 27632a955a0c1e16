import { useEffect, useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { useWaiting } from '../../app/page-title.ts';
import { Button } from '../../components/button.tsx';
import { isTyping } from '../../components/is-typing.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { NotifyButton } from '../../components/notify-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { HistoryList } from './history-list.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { SessionNotice } from './session-notice.tsx';
import { SingleApproval } from './single-approval.tsx';
import { StandingList } from './standing-list.tsx';
import { WaitingList } from './waiting-list.tsx';

type Part = 'waiting' | 'history' | 'standing';

export default function ApprovalsPage() {
  const { id } = useParams<{ id?: string }>();
  const [keysShown, setKeysShown] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event.target)) setKeysShown(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <PageHeader
        title="Approvals"
        actions={
          <>
            <NotifyButton />
            <Button variant="quiet" onClick={() => setKeysShown(true)}>
              Keys <KeyHint keys="?" />
            </Button>
          </>
        }
      >
        Calls that wait for a person. The model that makes them cannot decide.
      </PageHeader>
      <SessionNotice />
      {id === undefined ? <Parts /> : <SingleApproval key={id} id={id} />}
      {keysShown ? <KeysDialog onClose={() => setKeysShown(false)} /> : null}
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
