import { z } from 'zod';
import type { ApprovalDecision } from '../../../../operations/index.ts';
import { approvalsOf, deciderOf } from '../../decider-of.ts';
import { route } from '../../route.ts';
import { APPROVAL, APPROVAL_ID } from './approval-schemas.ts';

const REASON = z.string().max(500).optional();

export const decideApproval = route({
  method: 'post',
  path: '/api/v1/approvals/{id}/decision',
  operationId: 'decideApproval',
  summary: 'Decide an approval',
  description:
    "With the approver token of the gateway's machine, a session of its owner, or in a team with a key that was made for deciding, by an approver of the same organisation who is not the caller. Never with a credential that calls tools.",
  access: 'dangerous',
  tag: 'approvals',
  params: APPROVAL_ID,
  body: z.discriminatedUnion('decision', [
    z.strictObject({ decision: z.literal('approve') }),
    z.strictObject({
      decision: z.literal('edit'),
      arguments: z.record(z.string(), z.unknown()).describe('Run instead of those that the call had.'),
    }),
    z.strictObject({ decision: z.literal('reject'), reason: REASON }),
    z.strictObject({ decision: z.literal('approve_always') }),
  ]),
  response: { description: 'The approval after the decision.', schema: APPROVAL },
  handle: async ({ params: { id }, body }, { gateway, principal, session }) => {
    const decider = await deciderOf(gateway, { principal, session });
    return (await approvalsOf(gateway)).decide(id, body as ApprovalDecision, decider);
  },
});
