import { approvalsOf, viewerOf } from '../../decider-of.ts';
import { route } from '../../route.ts';
import { APPROVAL, APPROVAL_ID } from './approval-schemas.ts';

export const getApproval = route({
  method: 'get',
  path: '/api/v1/approvals/{id}',
  operationId: 'getApproval',
  summary: 'Get one approval with its card',
  access: 'read',
  tag: 'approvals',
  params: APPROVAL_ID,
  response: { description: 'The approval.', schema: APPROVAL },
  handle: async ({ params: { id } }, { gateway, principal }) =>
    (await approvalsOf(gateway)).get(id, await viewerOf(gateway, principal)),
});
