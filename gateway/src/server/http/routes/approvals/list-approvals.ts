import { z } from 'zod';
import { approvalsOf, viewerOf } from '../../decider-of.ts';
import { route } from '../../route.ts';
import { APPROVAL, APPROVAL_ID, APPROVAL_STATE } from './approval-schemas.ts';

export const listApprovals = route({
  method: 'get',
  path: '/api/v1/approvals',
  operationId: 'listApprovals',
  summary: 'List approvals',
  description:
    'Newest first. An approver sees those of the organisation, a user the own ones. `next` continues the list.',
  access: 'read',
  tag: 'approvals',
  query: z.strictObject({
    state: APPROVAL_STATE.optional(),
    tool: z.string().min(1).max(300).optional().describe("The tool's name."),
    source: z.string().min(1).max(300).optional().describe('The source whose operation is called.'),
    principal: z.string().min(1).max(300).optional().describe('Whose calls.'),
    before: APPROVAL_ID.shape.id.optional().describe('Id of the last approval of the page before.'),
    limit: z.coerce.number().int().min(1).max(1000).optional().describe('Default 100.'),
  }),
  response: {
    description: 'Approvals.',
    schema: z.object({ approvals: z.array(APPROVAL), next: z.string().optional() }),
  },
  handle: async ({ query: { state, ...query } }, { gateway, principal }) => {
    const approvals = await approvalsOf(gateway);
    return approvals.page(await viewerOf(gateway, principal), {
      ...(query as Parameters<typeof approvals.page>[1]),
      ...(state === undefined ? {} : { states: [state] }),
    });
  },
});
