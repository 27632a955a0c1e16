import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, USER, USER_CHANGES } from '../record-schemas.ts';

export const updateUser = route({
  method: 'patch',
  path: '/api/v1/users/{id}',
  operationId: 'updateUser',
  summary: 'Change a user, its roles or status',
  access: 'dangerous',
  tag: 'users',
  params: z.object({ id: ID }),
  body: USER_CHANGES,
  response: { description: 'The user as it is now.', schema: USER },
  handle: async ({ params, body }, { gateway, principal }) =>
    directoryOf(gateway).users.update(principal, params.id, body as never),
});
