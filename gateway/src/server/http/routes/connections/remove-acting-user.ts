import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID } from '../record-schemas.ts';

export const removeActingUser = route({
  method: 'delete',
  path: '/api/v1/connections/{id}/users/{user}',
  operationId: 'removeActingUser',
  summary: 'Remove the mapping of a user',
  access: 'dangerous',
  tag: 'connections',
  params: z.object({ id: ID, user: ID }),
  response: { status: 204, description: 'The mapping is gone.' },
  handle: async ({ params }, { gateway, principal }) =>
    directoryOf(gateway).actingUsers.remove(principal, { connection: params.id, user: params.user }),
});
