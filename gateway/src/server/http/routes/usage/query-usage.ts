import { z } from 'zod';
import { ToolcribError } from '../../../../errors.ts';
import type { Principal } from '../../../../operations/index.ts';
import type { CapabilityProfile } from '../../admin/gateway-admin.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { ID } from '../record-schemas.ts';

const DAY = z.iso.date().optional();

export const queryUsage = route({
  method: 'get',
  path: '/api/v1/usage',
  operationId: 'queryUsage',
  summary: 'Add up the usage log',
  description:
    'Calls, errors and time by day, user, operation, source or, for the operator, organisation. An admin sees the organisation, a user the own calls; a key that is limited to some sources only calls of those.',
  access: 'read',
  tag: 'usage',
  query: z.strictObject({
    organisation: ID.optional().describe('For the operator.'),
    user: ID.optional(),
    operation: z.string().optional(),
    source: z.string().optional(),
    from: DAY.describe('First day, UTC.'),
    to: DAY.describe('Last day, UTC.'),
    groupBy: z.enum(['day', 'user', 'operation', 'source', 'organisation']).default('day'),
  }),
  response: {
    description: 'One row for each day, user, operation, source or organisation.',
    schema: z.object({
      usage: z.array(
        z.looseObject({
          key: z.string().nullable(),
          calls: z.number().int(),
          errors: z
            .number()
            .int()
            .describe('Failed calls; a call that ended with a question to a person is none.'),
          durationMs: z.number().describe('All calls together, milliseconds.'),
          meanMs: z.number(),
          maxMs: z.number(),
        }),
      ),
    }),
  },
  handle: async ({ query }, { gateway, principal }) => {
    if (gateway.usage === undefined) {
      throw new ToolcribError(
        'not_found',
        'This gateway keeps no usage log: its configuration names no store.',
      );
    }
    const scope = scopeOf(principal, await profileOf(gateway, principal), query.user);
    return { usage: await gateway.usage({ ...query, ...scope } as never) };
  },
});

/** What a caller's question is limited to, whatever it asked. */
function scopeOf(
  { id, kind, organisation, sources }: Principal,
  { roles, since }: CapabilityProfile,
  user: string | undefined,
) {
  if (kind !== 'user') return {};
  if (organisation === undefined) {
    throw new ToolcribError('organisation_missing', 'The user belongs to no organisation.');
  }
  const within = {
    organisation,
    ...(sources === undefined ? {} : { sources }),
    ...(since === undefined ? {} : { since }),
  };
  if (roles.includes('admin')) return within;
  if (user !== undefined && user !== id) {
    throw new ToolcribError('admin_needed', "Other users' calls are for admins.");
  }
  return { ...within, user: id };
}
