import { z } from 'zod';
import { approvalsOf, viewerOf } from '../../decider-of.ts';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';

const NAMES = z.array(z.object({ id: z.string(), name: z.string() }));

export const listApprovalPeople = route({
  method: 'get',
  path: '/api/v1/approvals/people',
  operationId: 'listApprovalPeople',
  summary: 'List the names of the people whose approvals are listed, and of their organisations',
  description:
    'Whoever decides is to know who asks: approvals say it by id. An approver sees the names of the people of the organisation, a user the own one, the operator all.',
  access: 'read',
  tag: 'approvals',
  response: {
    description: 'Names by id.',
    schema: z.object({ people: NAMES, organisations: NAMES }),
  },
  handle: async (_input, { gateway, principal }) => {
    const viewer = await viewerOf(gateway, principal);
    const seesAll = viewer.kind === 'operator' || (await approvalsOf(gateway)).mayDecide(viewer);
    const { users, organisations } = directoryOf(gateway);
    return {
      people: await users.names(principal, seesAll),
      organisations: (await organisations.list(principal)).map(({ id, name }) => ({ id, name })),
    };
  },
});
