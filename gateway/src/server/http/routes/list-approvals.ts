import { z } from 'zod';
import { route } from '../route.ts';
import { APPROVAL, APPROVAL_STATE, approvalsOf, viewerOf } from './approval-schemas.ts';

export const listApprovals = route({
  method: 'get',
  path: '/api/v1/approvals',
  operationId: 'listApprovals',
  summary: 'List approvals',
  description: 'Newest first. An approver sees those of the organisation, a user the own ones.',
  access: 'read',
  tag: 'approvals',
  query: z.strictObject({
    state: APPROVAL_STATE.optional(),
    limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default 100.'),
  }),
  response: { description: 'Approvals.', schema: z.object({ approvals: z.array(APPROVAL) }) },
  handle: async ({ query: { state, limit } }, { gateway, principal }) => {
    const approvals = await approvalsOf(gateway);
    return {
      approvals: await approvals.list(await viewerOf(gateway, principal), {
        ...(state === undefined ? {} : { states: [state] }),
        ...(limit === undefined ? {} : { limit }),
      }),
    };
  },
});
