import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { type Event, useChanges, useEvents, useStreamState } from '../api/event-stream.ts';
import { PENDING_APPROVALS } from '../api/pending-approvals.ts';
import { readAgain } from '../api/read-again.ts';
import { isInside, useSession } from '../api/session.ts';
import { calledName } from '../components/called-name.ts';
import { type People, usePeople } from '../components/people/use-people.ts';
import { counted } from '../components/quantities.ts';
import { say } from '../components/states/said.tsx';
import { notify } from './notifications.ts';
import { setWaiting } from './page-title.ts';
import { saidGrowth } from './said-growth.ts';

/** With a stream that is open nothing but an expiry goes unheard. */
const HEARD_MS = 60_000;
const DEAF_MS = 10_000;

/**
 * On every page: keeps the number of waiting approvals right, says to screen readers that it grew, and announces new ones
 * where that is wanted.
 */
export function ApprovalWatch() {
  const client = useQueryClient();
  const [location, navigate] = useLocation();
  const { data: session } = useSession();
  const stream = useStreamState();
  const people = usePeople();
  const inside = session !== undefined && isInside(session);
  const { data } = useQuery({
    ...PENDING_APPROVALS,
    enabled: inside,
    refetchInterval: stream === 'open' ? HEARD_MS : DEAF_MS,
    refetchIntervalInBackground: true,
  });
  const pending = inside ? (data?.pending ?? 0) : 0;
  useEffect(() => setWaiting(pending), [pending]);
  useEffect(() => () => setWaiting(0), []);
  useSaidGrowth(pending);

  useChanges({ types: ['approval-*'] }, () => readAgain(client, { queryKey: ['approvals'] }));
  useEvents(
    { types: ['approval-requested'] },
    {
      onEvents(events) {
        const looking = document.visibilityState === 'visible' && location.startsWith('/approvals');
        if (!looking) announce(events, navigate, people);
      },
    },
  );
  return null;
}

/** The title of the tab says it to nobody who does not look. */
function useSaidGrowth(pending: number): void {
  const [growth] = useState(() =>
    saidGrowth((count) => say(`${counted(count, 'call waits', 'calls wait')} for approval`)),
  );
  useEffect(() => growth.counted(pending), [growth, pending]);
  useEffect(() => growth.stop, [growth]);
}

/** Names who asks and for what, never the arguments: it may stand on a locked screen. */
function announce(events: readonly Event[], navigate: (path: string) => void, { nameOf }: People): void {
  for (const event of events) {
    if (event.type !== 'approval-requested') continue;
    notify('An approval waits', {
      body: `${nameOf(event.principal)} wants to call ${calledName(event.tool, event.operation)}.`,
      tag: event.approval,
      onOpen: () => navigate(`/approvals/${event.approval}`),
    });
  }
}
