import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID } from '../record-schemas.ts';

export const removeUser = route({
  method: 'delete',
  path: '/api/v1/users/{id}',
  operationId: 'removeUser',
  summary: 'Remove a user',
  access: 'dangerous',
  tag: 'users',
  params: z.object({ id: ID }),
  response: { status: 204, description: 'The user is gone.' },
  handle: async ({ params }, { gateway, principal }) =>
    directoryOf(gateway).users.remove(principal, params.id),
});
