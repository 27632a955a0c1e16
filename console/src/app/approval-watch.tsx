import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { api } from '../api/client.ts';
import { type Event, useChanges, useEvents, useStreamState } from '../api/event-stream.ts';
import { readAgain } from '../api/read-again.ts';
import { useSession } from '../api/session.ts';
import { type People, usePeople } from '../components/people/use-people.ts';
import { counted } from '../components/quantities.ts';
import { say } from '../components/states/said.tsx';
import { notify } from './notifications.ts';
import { setWaiting } from './page-title.ts';

/** With a stream that is open nothing but an expiry goes unheard. */
const HEARD_MS = 60_000;
const DEAF_MS = 10_000;
/** Many that come together are said as one, and those that go on coming not more often than this. */
const TOGETHER_MS = 500;
const SAID_AGAIN_MS = 10_000;

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
  const { data } = useQuery({
    queryKey: ['approvals', 'count'],
    queryFn: ({ signal }) => api<{ pending: number }>('GET', '/approvals/pending', { signal }),
    enabled: session !== undefined && (session.signedIn || session.mode === 'open'),
    refetchInterval: stream === 'open' ? HEARD_MS : DEAF_MS,
    refetchIntervalInBackground: true,
  });
  const pending = data?.pending ?? 0;
  useEffect(() => setWaiting(pending), [pending]);
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
  const known = useRef(0);
  const saidAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (pending <= known.current) {
      known.current = pending;
      return;
    }
    const sayIt = () => {
      known.current = pending;
      saidAt.current = Date.now();
      say(`${counted(pending, 'call waits', 'calls wait')} for approval`);
    };
    const timer = setTimeout(sayIt, Math.max(TOGETHER_MS, saidAt.current + SAID_AGAIN_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [pending]);
}

/** Names who asks and for what, never the arguments: it may stand on a locked screen. */
function announce(events: readonly Event[], navigate: (path: string) => void, { nameOf }: People): void {
  for (const event of events) {
    if (event.type !== 'approval-requested') continue;
    notify('An approval waits', {
      body: `${nameOf(event.principal)} wants to call ${event.tool}.`,
      tag: event.approval,
      onOpen: () => navigate(`/approvals/${event.approval}`),
    });
  }
}
