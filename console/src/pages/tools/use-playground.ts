import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Approval } from '../../../../gateway/src/operations/index.ts';
import { ApiError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { useChanges } from '../../api/event-stream.ts';
import type { JsonObject } from '../../components/json-values.ts';
import { newTrace, useCallTool } from './queries.ts';
import type { CallAnswer } from './tool-types.ts';

/** What came of the last try. */
export type PlayState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'dry'; readonly answer: CallAnswer }
  | { readonly kind: 'done'; readonly answer: CallAnswer; readonly trace: string }
  | { readonly kind: 'failed'; readonly error: Error; readonly trace: string }
  /** A person must agree; the call goes on by itself once somebody did. */
  | {
      readonly kind: 'waiting';
      readonly approval: string;
      readonly args: JsonObject;
      readonly reason: string;
      /** ISO 8601. */
      readonly until: string | undefined;
    };

export interface Play {
  readonly state: PlayState;
  readonly busy: 'call' | 'dry' | undefined;
  /** The failure that speaks of arguments as they are now. */
  readonly problem: Error | undefined;
  call(args: JsonObject): void;
  dryRun(args: JsonObject): void;
  /** Arguments were changed since. */
  edited(): void;
  stopWaiting(): void;
}

export function usePlayground(name: string, topology: string | undefined): Play {
  const call = useCallTool(name);
  const [state, setState] = useState<PlayState>({ kind: 'idle' });
  const [busy, setBusy] = useState<'call' | 'dry'>();
  const [problem, setProblem] = useState<Error>();
  const run = (args: JsonObject, dryRun: boolean, approval?: string) => {
    const trace = newTrace();
    setBusy(dryRun ? 'dry' : 'call');
    setProblem(undefined);
    call
      .mutateAsync({ arguments: args, dryRun, topology, approval, trace })
      .then((answer) => setState(dryRun ? { kind: 'dry', answer } : { kind: 'done', answer, trace }))
      .catch((error: Error) => {
        const asked = approvalOf(error);
        if (asked !== undefined) {
          setState({ kind: 'waiting', ...asked, args, reason: error.message });
          return;
        }
        setProblem(error);
        setState({ kind: 'failed', error, trace });
      })
      .finally(() => setBusy(undefined));
  };
  useDecision(state, (args, approval) => run(args, false, approval));
  return {
    state,
    busy,
    problem,
    call: (args) => run(args, false),
    dryRun: (args) => run(args, true),
    edited: () => setProblem(undefined),
    stopWaiting: () => setState({ kind: 'idle' }),
  };
}

/** Goes on as soon as the approval is no longer open: with it, or to be told that it leads to no call. */
function useDecision(state: PlayState, goOn: (args: JsonObject, approval: string) => void): void {
  const waiting = state.kind === 'waiting' ? state : undefined;
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
