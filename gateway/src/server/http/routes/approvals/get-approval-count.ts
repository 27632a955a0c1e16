import { z } from 'zod';
import { approvalsOf, viewerOf } from '../../decider-of.ts';
import { route } from '../../route.ts';

export const getApprovalCount = route({
  method: 'get',
  path: '/api/v1/approvals/pending',
  operationId: 'getApprovalCount',
  summary: 'Count the approvals that wait for a person',
  description: 'Of those that the list shows this caller, without reading them.',
  access: 'read',
  tag: 'approvals',
  response: { description: 'How many wait now.', schema: z.object({ pending: z.number().int() }) },
  handle: async (_input, { gateway, principal }) => ({
    pending: await (await approvalsOf(gateway)).countPending(await viewerOf(gateway, principal)),
  }),
});
