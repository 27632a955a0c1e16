import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AdminEvent, Event } from '../../../../gateway/src/operations/event.ts';
import type {
  ApiKey,
  ConnectionRecord,
  Organisation,
} from '../../../../gateway/src/principals/directory/records.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { readAgain } from '../../api/read-again.ts';
import { useSession } from '../../api/session.ts';
import { startOf } from '../../components/time/start-of-day.ts';
import { type ChangeFilter, KINDS, TYPES } from './change-filter.ts';

export type ChangeEvent = Event & AdminEvent;

interface EventPage {
  readonly events: readonly ChangeEvent[];
  /** The next `before`. */
  readonly earlier?: number;
}

const QUERY_KEY = ['changes'];
const PAGE = 100;

/** What was changed, newest first, and what is changed meanwhile. `keys`: those of the person that is asked for. */
export function useAdminChanges(filter: ChangeFilter, keys: readonly string[]) {
  const client = useQueryClient();
  useChanges({ types: TYPES }, () => readAgain(client, { queryKey: QUERY_KEY }));
  const { kind, by, about, organisation, from, to } = filter;
  const query = {
    type: (KINDS.find(({ name }) => name === kind)?.types ?? TYPES).join(','),
    principal: by,
    organisation,
    subject: about === '' ? '' : [about, ...keys].join(','),
    from: startOf(from),
    to: startOf(to, 1),
    limit: PAGE,
  };
  return useInfiniteQuery({
    queryKey: [...QUERY_KEY, query],
    queryFn: ({ pageParam, signal }) =>
      api<EventPage>('GET', '/events', { query: { ...query, before: pageParam }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ earlier }) => earlier,
    select: ({ pages }) => pages.flatMap(({ events }) => [...events].reverse()),
  });
}

/** In a team: its keys, revoked ones too, its accounts, and what organisations the caller may see. */
export function useTeam() {
  const { data: session } = useSession();
  const enabled = session?.mode === 'team' && session.signedIn;
  const keys = useQuery({
    queryKey: ['people', 'keys', 'every'],
    queryFn: ({ signal }) => api<{ keys: readonly ApiKey[] }>('GET', '/keys', { signal }),
    enabled,
  });
  const organisations = useQuery({
    queryKey: ['organisations'],
    queryFn: ({ signal }) => api<{ organisations: readonly Organisation[] }>('GET', '/orgs', { signal }),
    enabled,
  });
  const accounts = useQuery({
    queryKey: ['sources', 'connections', 'every'],
    queryFn: ({ signal }) =>
      api<{ connections: readonly ConnectionRecord[] }>('GET', '/connections', { signal }),
    enabled,
  });
  return {
    keys: keys.data?.keys ?? [],
    accounts: accounts.data?.connections ?? [],
    organisations: organisations.data?.organisations ?? [],
    /** Whose keys are known is asked before a person's changes are. */
    isReady: !enabled || !keys.isPending,
  };
}
