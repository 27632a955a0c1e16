import type { CallRequest, CompletedResult, Gateway, Result } from '../src/index.ts';

/** A person at the command line of the machine. */
export const PERSON = { kind: 'operator', channel: 'cli', id: 'tester' } as const;

/** Calls a tool, and has a person agree where one is asked. */
export async function callApproved(gateway: Gateway, request: CallRequest): Promise<Result> {
  const result = await gateway.call(request);
  const approval = approvalAskedFor(result);
  if (approval === undefined) return result;
  await (await gateway.approvals()).decide(approval, { decision: 'approve' }, PERSON);
  return gateway.call(request);
}

/** Id of the approval that a call waits for. */
export function approvalAskedFor(result: Result): string | undefined {
  if (result.kind !== 'completed' || result.error?.code !== 'approval_required') return undefined;
  return (result.error as Required<NonNullable<CompletedResult['error']>>).details['approval'] as string;
}
