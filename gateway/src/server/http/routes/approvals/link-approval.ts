import { z } from 'zod';
import { approvalsOf, deciderOf, viewerOf } from '../../decider-of.ts';
import { route } from '../../route.ts';
import { APPROVAL_ID } from './approval-schemas.ts';

export const linkApproval = route({
  method: 'post',
  path: '/api/v1/approvals/{id}/link',
  operationId: 'linkApproval',
  summary: 'Make a one-time link to an approval',
  description: 'Whoever has the link decides. It is made for those who may decide, to be handed to a person.',
  access: 'dangerous',
  tag: 'approvals',
  params: APPROVAL_ID,
  response: { description: 'The link.', schema: z.object({ url: z.string() }) },
  handle: async ({ params: { id } }, { gateway, principal, session, request }) => {
    // who may not decide gets no link either
    await deciderOf(gateway, { principal, session });
    const approvals = await approvalsOf(gateway);
    const base = gateway.configuration.policy.approvals?.url ?? new URL(request.url).origin;
    const viewer = await viewerOf(gateway, session?.decides ?? principal);
    return { url: `${base}${await approvals.link(id, viewer)}` };
  },
});
