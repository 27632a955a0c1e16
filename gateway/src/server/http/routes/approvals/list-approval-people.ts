import { z } from 'zod';
import { approvalsOf, viewerOf } from '../../decider-of.ts';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';

export const listApprovalPeople = route({
  method: 'get',
  path: '/api/v1/approvals/people',
  operationId: 'listApprovalPeople',
  summary: 'List the names of the people whose approvals are listed',
  description:
    'Whoever decides is to know who asks: approvals say it by id. An approver sees the names of the organisation, a user the own one, the operator all.',
  access: 'read',
  tag: 'approvals',
  response: {
    description: 'Names by id.',
    schema: z.object({ people: z.array(z.object({ id: z.string(), name: z.string() })) }),
  },
  handle: async (_input, { gateway, principal }) => {
    const viewer = await viewerOf(gateway, principal);
    const seesAll = viewer.kind === 'operator' || (await approvalsOf(gateway)).mayDecide(viewer);
    return { people: await directoryOf(gateway).users.names(principal, seesAll) };
  },
});
