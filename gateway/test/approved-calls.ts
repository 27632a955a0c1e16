import type { CallRequest, CompletedResult, Gateway, Result } from '../src/index.ts';

/** A person at the command line of the machine. */
export const PERSON = { kind: 'operator', channel: 'cli', id: 'tester' } as const;

/** An API with one operation that a person is asked about: tool `drop`. */
export const DROP_API = {
  openapi: '3.1.0',
  info: { title: 'Api', version: '1' },
  servers: [{ url: 'https://api.example' }],
  paths: {
    '/all/{id}': {
      delete: {
        operationId: 'drop',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 204: { description: 'gone' } },
      },
    },
  },
};

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
