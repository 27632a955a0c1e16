import { ToolcribError } from '../../../../errors.ts';
import { approvalsOf, viewerOf } from '../../decider-of.ts';
import { route } from '../../route.ts';
import { APPROVAL_ID } from './approval-schemas.ts';

export const revokeStandingApproval = route({
  method: 'delete',
  path: '/api/v1/approvals/standing/{id}',
  operationId: 'revokeStandingApproval',
  summary: 'Revoke a standing approval',
  description: 'In force at the next call. Whoever may see it may take it back.',
  access: 'dangerous',
  tag: 'approvals',
  params: APPROVAL_ID,
  response: { status: 204, description: 'It is revoked.' },
  handle: async ({ params: { id } }, { gateway, principal }) => {
    if (principal.purpose !== 'approve' && principal.maxAccess === 'read')
      throw new ToolcribError('admin_needed', 'The credential allows reading only.');
    await (await approvalsOf(gateway)).revoke(id, await viewerOf(gateway, principal));
  },
});
