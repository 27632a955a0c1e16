import { z } from 'zod';
import { ToolcribError } from '../../../errors.ts';
import { profileOf } from '../profile-of.ts';
import { route } from '../route.ts';
import { ID } from './record-schemas.ts';

const AMOUNTS = z.object({ calls: z.number(), usd: z.number(), bytes: z.number() });

export const listBudgets = route({
  method: 'get',
  path: '/api/v1/budgets',
  operationId: 'listBudgets',
  summary: 'List what is used of every budget',
  description:
    "Counters that have not ended. A user sees the own ones and the organisation's; an admin those of its users, too.",
  access: 'read',
  tag: 'usage',
  query: z.strictObject({ principal: ID.optional().describe('The counters of this caller.') }),
  response: {
    description: 'One entry for each budget and whom it counts by.',
    schema: z.object({
      budgets: z.array(
        z.looseObject({
          budget: z.string().describe("The rule's name, or SOURCE/OPERATION for an operation's own budget."),
          per: z.enum(['principal', 'run', 'organisation']),
          principal: z.string().optional(),
          organisation: z.string().optional(),
          run: z.string().optional(),
          used: AMOUNTS,
          limit: AMOUNTS.partial(),
          frees: z.number().optional().describe('Milliseconds since the epoch; absent: with the next run.'),
        }),
      ),
    }),
  },
  handle: async ({ query }, { gateway, principal }) => {
    if (gateway.budgets === undefined) throw new ToolcribError('not_found', 'This gateway has no budgets.');
    const asked = query.principal === undefined ? {} : { principal: query.principal };
    if (principal.kind !== 'user') return { budgets: await gateway.budgets(asked) };
    const { id, organisation } = principal;
    if (organisation === undefined)
      throw new ToolcribError('organisation_missing', 'The user belongs to no organisation.');
    const { roles } = await profileOf(gateway, principal);
    if (roles.includes('admin')) return { budgets: await gateway.budgets({ ...asked, organisation }) };
    if (query.principal !== undefined && query.principal !== id)
      throw new ToolcribError('admin_needed', "Other users' budgets are for admins.");
    return { budgets: await gateway.budgets({ organisation, principal: id }) };
  },
});
