import { z } from 'zod';
import { approvalsOf, viewerOf } from '../../decider-of.ts';
import { route } from '../../route.ts';
import { STANDING } from './approval-schemas.ts';

export const listStandingApprovals = route({
  method: 'get',
  path: '/api/v1/approvals/standing',
  operationId: 'listStandingApprovals',
  summary: 'List standing approvals',
  description: 'What a person approved from then on, until it is revoked.',
  access: 'read',
  tag: 'approvals',
  response: { description: 'Standing approvals.', schema: z.object({ standing: z.array(STANDING) }) },
  handle: async (_input, { gateway, principal }) => ({
    standing: await (await approvalsOf(gateway)).standing(await viewerOf(gateway, principal)),
  }),
});
