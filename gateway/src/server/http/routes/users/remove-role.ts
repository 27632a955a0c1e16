import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, IN_ORGANISATION } from '../record-schemas.ts';

export const removeRole = route({
  method: 'delete',
  path: '/api/v1/roles/{name}',
  operationId: 'removeRole',
  summary: 'Remove a role',
  description: 'Whoever holds it loses it.',
  access: 'dangerous',
  tag: 'users',
  params: z.object({ name: ID }),
  query: IN_ORGANISATION,
  response: { status: 204, description: 'The role is gone.' },
  handle: async ({ params, query }, { gateway, principal }) =>
    directoryOf(gateway).roles.remove(principal, params.name, query as never),
});
