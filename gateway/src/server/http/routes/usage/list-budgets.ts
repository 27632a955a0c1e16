import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import { allowsReading, type Principal, reachesSource } from '../../../../operations/index.ts';
import type { CapabilityProfile } from '../../admin/gateway-admin.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { ID } from '../record-schemas.ts';

const AMOUNTS = z.object({ calls: z.number(), usd: z.number(), bytes: z.number() });

export const listBudgets = route({
  method: 'get',
  path: '/api/v1/budgets',
  operationId: 'listBudgets',
  summary: 'List what is used of every budget',
  description:
    "Counters that have not ended. A user sees the own ones and the organisation's, of sources that the own level opens; an admin those of its users, too. A key that is limited to some sources sees budgets that count nothing but calls of those.",
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
    const profile = await profileOf(gateway, principal);
    const within = { organisation, covers: shownBudgets(principal, profile) };
    if (profile.roles.includes('admin')) return { budgets: await gateway.budgets({ ...asked, ...within }) };
    if (query.principal !== undefined && query.principal !== id)
      throw new ToolcribError('admin_needed', "Other users' budgets are for admins.");
    return { budgets: await gateway.budgets({ ...within, principal: id }) };
  },
});

/**
 * Budgets of a source are for those who may read it, and for admins. By a key that is limited to some sources, one that
 * counts calls of any source is nobody's: it would tell of the others.
 */
function shownBudgets(principal: Principal, { roles, sources }: CapabilityProfile) {
  const readable = new Set(sources.filter(({ level }) => allowsReading(level)).map(({ name }) => name));
  return (source: string | undefined): boolean => {
    if (source === undefined) return principal.sources === undefined;
    return roles.includes('admin') ? reachesSource(principal, source) : readable.has(source);
  };
}
