import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Approval } from '../../../../gateway/src/operations/index.ts';
import { ApiError, UnreachableError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import { WRITTEN } from '../../api/written.ts';
import type { JsonObject } from '../../components/json/json-values.ts';
import { type KeptAnswers, keepable } from './kept-answers.ts';
import { newTrace, useCallTool } from './queries.ts';
import type { Answers, CallAnswer, CallAsks } from './tool-types.ts';

/** What came of the last try. */
export type PlayState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'dry'; readonly answer: CallAnswer }
  | { readonly kind: 'done'; readonly answer: CallAnswer; readonly trace: string }
  | { readonly kind: 'failed'; readonly error: Error; readonly trace: string }
  /** The tool asks; the call goes on with the answers, and is one call in the log. */
  | {
      readonly kind: 'asks';
      readonly asked: CallAsks;
      readonly args: JsonObject;
      readonly approval: string | undefined;
      readonly trace: string;
      /** How often the call asked before: every round has a form of its own. */
      readonly round: number;
      /** The last answers did not reach the gateway; they can be sent again. */
      readonly unsent?: Error | undefined;
      /** What was answered of it so far, for whoever leaves the page and comes back; goes with the question. */
      readonly kept?: KeptAnswers;
    }
  /** A person must agree; the call goes on by itself once somebody did. */
  | {
      readonly kind: 'waiting';
      readonly approval: string;
      readonly args: JsonObject;
      readonly reason: string;
      /** ISO 8601. */
      readonly until: string | undefined;
    };

interface Try {
  readonly state: PlayState;
  readonly busy: 'call' | 'dry' | undefined;
  /** The failure that speaks of arguments as they are now. */
  readonly problem: Error | undefined;
  /** Of what is under way: an answer that comes after somebody else signed in is not theirs. */
  readonly trace?: string;
}

export interface Play extends Try {
  call(args: JsonObject): void;
  dryRun(args: JsonObject): void;
  /** Arguments were changed since. */
  edited(): void;
  stopWaiting(): void;
  /** Answers what the tool asks. */
  answer(responses: Answers['inputResponses']): void;
  /** Answers as far as they were written; of the question that is open. */
  keep(answers: KeptAnswers): void;
}

const NOTHING: Try = { state: { kind: 'idle' }, busy: undefined, problem: undefined };

/** What was written and tried here last is found again for so long, by whoever was away at the approval's card. */
const KEPT = { ...WRITTEN, gcTime: 3_600_000, structuralSharing: false } as const;

/** What is written as a tool's arguments. */
export interface Writing {
  readonly args: JsonObject;
  /** Written as JSON, in place of the form. */
  readonly asJson: boolean;
  /** JSON that is no object of arguments, or not yet: `args` are then those before it. */
  readonly draft?: string | undefined;
}

/** In the memory of this tab alone: gone once somebody else signs in. */
export function useWriting(name: string, start: () => JsonObject) {
  const client = useQueryClient();
  const queryKey = ['playground', name, 'writing'];
  useQuery({ queryKey, queryFn: skipToken, ...KEPT });
  // a state beside it: what is typed must stand in its field at once
  const [writing, setWriting] = useState<Writing>(
    () => client.getQueryData<Writing>(queryKey) ?? { args: start(), asJson: false },
  );
  const write = (next: Writing) => {
    client.setQueryData(queryKey, next);
    setWriting(next);
  };
  return [writing, write] as const;
}

/** What a call goes on with. */
interface Further {
  readonly approval?: string | undefined;
  readonly answers?: Answers;
  /** Of the call that it is. */
  readonly trace?: string;
  /** What is answered. */
  readonly asked?: PlayState & { readonly kind: 'asks' };
}

export function usePlayground(name: string, topology: string | undefined): Play {
  const call = useCallTool(name);
  const client = useQueryClient();
  const queryKey = ['playground', name, 'try'];
  const { data: last = NOTHING } = useQuery<Try>({ queryKey, queryFn: skipToken, ...KEPT });
  const put = (change: Partial<Try>) =>
    client.setQueryData<Try>(queryKey, (before = NOTHING) => ({ ...before, ...change }));
  const run = (
    args: JsonObject,
    dryRun: boolean,
    { approval, answers, asked: before, trace = newTrace() }: Further = {},
  ) => {
    const end = (state: PlayState, problem?: Error) =>
      client.setQueryData<Try>(queryKey, (now) =>
        now?.trace === trace ? { state, busy: undefined, problem } : now,
      );
    put({ busy: dryRun ? 'dry' : 'call', problem: undefined, trace });
    call
      .mutateAsync({ arguments: args, dryRun, topology, approval, answers, trace })
      .then((answer) => {
        const round = (before?.round ?? 0) + 1;
        if ('inputRequests' in answer) end({ kind: 'asks', asked: answer, args, approval, trace, round });
        else end(dryRun ? { kind: 'dry', answer } : { kind: 'done', answer, trace });
      })
      .catch((error: Error) => {
        // a call that waits is still there: the same answers may be given again, without being written again
        if (before !== undefined && error instanceof UnreachableError)
          return end({ ...before, unsent: error });
        const asked = approvalOf(error);
        if (asked === undefined) end({ kind: 'failed', error, trace }, error);
        else end({ kind: 'waiting', ...asked, args, reason: error.message });
      });
  };
  useDecision(last, (args, approval) => run(args, false, { approval }));
  return {
    ...last,
    call: (args) => run(args, false),
    dryRun: (args) => run(args, true),
    edited: () => put({ problem: undefined }),
    stopWaiting: () => put({ state: NOTHING.state }),
    answer(inputResponses) {
      const { state, busy } = last;
      if (state.kind !== 'asks' || busy !== undefined) return;
      const { asked, args, approval, trace } = state;
      const answers = { inputResponses, requestState: asked.requestState };
      run(args, false, { approval, answers, trace, asked: state });
    },
    keep(answers) {
      const { state: shown } = last;
      client.setQueryData<Try>(queryKey, (now) => {
        const isOpen =
          now?.state.kind === 'asks' &&
          shown.kind === 'asks' &&
          now.state.trace === shown.trace &&
          now.state.round === shown.round;
        // another question, or somebody else's tab by now
        if (!isOpen) return undefined;
        const state = now.state as PlayState & { readonly kind: 'asks' };
        return { ...now, state: { ...state, kept: keepable(state.asked, answers) } };
      });
    },
  };
}

/** Goes on as soon as the approval is no longer open: with it, or to be told that it leads to no call. */
function useDecision({ state, busy }: Try, goOn: (args: JsonObject, approval: string) => void): void {
  // one that goes on already, whose page was left and came back, does so once
  const waiting = state.kind === 'waiting' && busy === undefined ? state : undefined;
  const id = waiting?.approval ?? '';
  const approval = useQuery({
    queryKey: ['tools', 'approval', id],
    queryFn: ({ signal }) => api<Approval>('GET', `/approvals/${encodeURIComponent(id)}`, { signal }),
    enabled: waiting !== undefined,
    refetchInterval: 5_000,
  });
  useChanges({ types: ['approval-*'] }, async () => {
    if (waiting !== undefined) await approval.refetch();
  });
  const decided = waiting !== undefined && approval.data?.id === id && approval.data.state !== 'pending';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each decision
  useEffect(() => {
    if (decided && waiting !== undefined) goOn(waiting.args, waiting.approval);
  }, [decided, id]);
}

/** The approval that a refused call waits for. */
function approvalOf(
  error: Error,
): { readonly approval: string; readonly until: string | undefined } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'approval_required') return undefined;
  const { approval, expiresAt } = error.details ?? {};
  if (typeof approval !== 'string') return undefined;
  return { approval, until: typeof expiresAt === 'string' ? expiresAt : undefined };
}
