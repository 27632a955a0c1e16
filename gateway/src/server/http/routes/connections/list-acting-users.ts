import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ACTING_USER, ID } from '../record-schemas.ts';

export const listActingUsers = route({
  method: 'get',
  path: '/api/v1/connections/{id}/users',
  operationId: 'listActingUsers',
  summary: "List the users' own ids at the provider",
  access: 'read',
  tag: 'connections',
  params: z.object({ id: ID }),
  response: { description: 'Users with their ids there.', schema: z.object({ users: z.array(ACTING_USER) }) },
  handle: async ({ params }, { gateway, principal }) => ({
    users: await directoryOf(gateway).actingUsers.list(principal, params.id),
  }),
});
