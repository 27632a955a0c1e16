import {
  useInfiniteQuery,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import type {
  Approval,
  ApprovalCard,
  ApprovalDecision,
  ApprovalState,
  JsonObject,
  StandingApproval,
} from '../../../../gateway/src/operations/index.ts';
import type { CallStory } from '../../../../gateway/src/server/http/routes/events/call-story.ts';
import { ApiError } from '../../api/api-error.ts';
import { api, doubtSession } from '../../api/client.ts';
import { onePendingLess, pendingOf } from '../../api/pending-approvals.ts';
import { readAgain } from '../../api/read-again.ts';
import { draftsOf } from './use-draft.ts';

/** An approval as the API shows it. */
export type ShownApproval = Approval & { readonly card: ApprovalCard };

export interface HistoryFilter {
  readonly state?: ApprovalState | undefined;
  readonly tool?: string | undefined;
  readonly source?: string | undefined;
  readonly principal?: string | undefined;
}

interface ApprovalPage {
  readonly approvals: readonly ShownApproval[];
  readonly next?: string;
}

/** What an open page asks for again where no event comes: times run out without one. */
const AGAIN_MS = 10_000;

/** What waits for a person, the oldest first: a new one comes at the end and moves nothing. */
export function useWaitingApprovals() {
  return useQuery({
    queryKey: ['approvals', 'waiting'],
    async queryFn({ signal }) {
      const found: ShownApproval[] = [];
      // pages come newest first, and the oldest ones are the next to expire
      for (let before: string | undefined; ; ) {
        const query = { state: 'pending', limit: 200, before };
        const page = await api<ApprovalPage>('GET', '/approvals', { query, signal });
        found.push(...page.approvals);
        if (page.next === undefined) return found.reverse();
        before = page.next;
      }
    },
    refetchInterval: AGAIN_MS,
    // what waited when the page was left may be decided by now: nothing of it is shown before it is read again
    gcTime: 0,
  });
}

export function useApproval(id: string) {
  return useQuery({
    queryKey: ['approvals', 'one', id],
    queryFn: ({ signal }) => api<ShownApproval>('GET', `/approvals/${encodeURIComponent(id)}`, { signal }),
    // ends by the clock, too
    refetchInterval: ({ state: { data } }) => (data?.state === 'pending' ? AGAIN_MS : false),
  });
}

/** What a person made of the arguments of the call that used an approval up, where they did. */
export function useEdited(usedBy: string | undefined) {
  return useQuery({
    queryKey: ['approvals', 'edited', usedBy],
    queryFn: ({ signal }) => api<CallStory>('GET', `/calls/${encodeURIComponent(usedBy ?? '')}`, { signal }),
    select: ({ edited }) => edited,
    enabled: usedBy !== undefined,
    // the approval is used up a moment before the end of its call is told
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? 1_000 : false),
  });
}

export function useApprovalHistory(filter: HistoryFilter) {
  return useInfiniteQuery({
    queryKey: ['approvals', 'history', filter],
    queryFn: ({ pageParam, signal }) =>
      api<ApprovalPage>('GET', '/approvals', { query: { ...filter, limit: 50, before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

export function useStandingApprovals() {
  return useQuery({
    queryKey: ['approvals', 'standing'],
    queryFn: async ({ signal }) =>
      (await api<{ standing: readonly StandingApproval[] }>('GET', '/approvals/standing', { signal }))
        .standing,
  });
}

function sendDecision(id: string, decision: ApprovalDecision): Promise<ShownApproval> {
  return api('POST', `/approvals/${encodeURIComponent(id)}/decision`, { body: decision });
}

/** Whatever comes of it, what is shown is read again: a refusal mostly means that it was old. */
export function useDecide(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: decisionKey(id),
    mutationFn: (decision: ApprovalDecision) => sendDecision(id, decision),
    onMutate: () => pendingOf(client),
    onSuccess(decided, _decision, before) {
      client.setQueryData(['approvals', 'one', decided.id], decided);
      onePendingLess(client, before);
      client.removeQueries({ queryKey: draftsOf(id) });
    },
    onError: (error) => {
      // of who is an approver no more, the calls of others are hidden
      if (isUnknown(error)) doubtSession();
    },
    // not awaited: a refusal is shown though nothing can be read
    onSettled: () => void readAgain(client, { queryKey: ['approvals'] }),
  });
}

export function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'approval_unknown';
}

/** Refusals after which there is nothing left to decide. */
export const OVER: ReadonlySet<string> = new Set([
  'approval_decided',
  'approval_expired',
  'approval_unknown',
]);

/** Rejects one after the other; `onAway` is told which are on their way, and which came back because of a refusal. */
export function useRejectAll(onAway: (ids: readonly string[], away: boolean) => void) {
  const client = useQueryClient();
  return useMutation({
    async mutationFn({ ids, reason }: { readonly ids: readonly string[]; readonly reason: string }) {
      onAway(ids, true);
      const decision: ApprovalDecision = { decision: 'reject', ...(reason === '' ? {} : { reason }) };
      for (const [place, id] of ids.entries()) {
        try {
          await sendDecision(id, decision);
        } catch (error) {
          if (isUnknown(error)) doubtSession();
          if (error instanceof ApiError && OVER.has(error.code)) continue;
          onAway(ids.slice(place), false);
          throw error;
        }
      }
    },
    // not awaited: a refusal is shown though nothing can be read
    onSettled: () => void readAgain(client, { queryKey: ['approvals'] }),
  });
}

/**
 * What waits, and keeps waiting while a decision that was made here is on its way: the news that it was decided may
 * come before the answer that says how, and what follows belongs to the answer.
 */
export function useUndecided(id: string, waiting: ShownApproval | undefined): ShownApproval | undefined {
  const [last, setLast] = useState(waiting);
  if (waiting !== undefined && waiting !== last) setLast(waiting);
  const isDeciding = useIsMutating({ mutationKey: decisionKey(id) }) > 0;
  return waiting ?? (isDeciding ? last : undefined);
}

const decisionKey = (id: string) => ['approvals', 'decision', id];

/** Asks the gateway whether other arguments fit the tool. Decides nothing. */
export function useCheckEdit(id: string) {
  return useMutation({
    mutationFn: (args: JsonObject) =>
      api<void>('POST', `/approvals/${encodeURIComponent(id)}/check`, {
        body: { arguments: args },
        isCheck: true,
      }),
  });
}

export function useRevokeStanding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api<void>('DELETE', `/approvals/standing/${encodeURIComponent(id)}`),
    // not awaited: a refusal is shown though nothing can be read
    onSettled: () => void readAgain(client, { queryKey: ['approvals'] }),
  });
}
