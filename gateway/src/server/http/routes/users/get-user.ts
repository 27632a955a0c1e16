import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, USER } from '../record-schemas.ts';

export const getUser = route({
  method: 'get',
  path: '/api/v1/users/{id}',
  operationId: 'getUser',
  summary: 'Get a user',
  access: 'read',
  tag: 'users',
  params: z.object({ id: ID }),
  response: { description: 'The user.', schema: USER },
  handle: async ({ params }, { gateway, principal }) => directoryOf(gateway).users.get(principal, params.id),
});
