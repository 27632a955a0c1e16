import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallStory } from '../../../../gateway/src/server/http/routes/events/call-story.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { readAgain } from '../../api/read-again.ts';

export type { CallStory };

/** The whole story of a call, read again when something of it happens. */
export function useCallStory(call: string) {
  const client = useQueryClient();
  const queryKey = ['calls', call];
  useChanges({ call }, () => readAgain(client, { queryKey }));
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api<CallStory>('GET', `/calls/${encodeURIComponent(call)}`, { signal }),
    // another answer than before is only expected while it goes on
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? 5_000 : false),
  });
}

function isOpen({ state }: CallStory): boolean {
  return state === 'running' || state === 'waiting';
}
