import { z } from 'zod';
import type { JsonObject } from '../../../../operations/index.ts';
import { approvalsOf, viewerOf } from '../../decider-of.ts';
import { route } from '../../route.ts';
import { APPROVAL_ID } from './approval-schemas.ts';

export const checkApprovalEdit = route({
  method: 'post',
  path: '/api/v1/approvals/{id}/check',
  operationId: 'checkApprovalEdit',
  summary: 'Check other arguments before deciding',
  description:
    "Whether these arguments fit the tool's schema, as the decision `edit` would ask; decides nothing. The error `arguments_invalid` names every argument that does not fit.",
  access: 'dangerous',
  tag: 'approvals',
  params: APPROVAL_ID,
  body: z.strictObject({ arguments: z.record(z.string(), z.unknown()) }),
  response: { status: 204, description: 'They fit.' },
  handle: async ({ params: { id }, body }, { gateway, principal }) => {
    const approvals = await approvalsOf(gateway);
    await approvals.checkEdit(id, body.arguments as JsonObject, await viewerOf(gateway, principal));
  },
});
