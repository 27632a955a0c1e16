import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, USER, USER_CHANGES } from '../record-schemas.ts';

export const createUser = route({
  method: 'post',
  path: '/api/v1/users',
  operationId: 'createUser',
  summary: 'Create a user',
  description: 'With the default levels.',
  access: 'dangerous',
  tag: 'users',
  body: USER_CHANGES.omit({ status: true }).extend({ id: ID.optional(), name: z.string() }),
  response: { status: 201, description: 'The user.', schema: USER },
  handle: async ({ body }, { gateway, principal }) =>
    directoryOf(gateway).users.create(principal, body as never),
});
