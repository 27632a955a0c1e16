import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { IN_ORGANISATION, USER } from '../record-schemas.ts';

export const listUsers = route({
  method: 'get',
  path: '/api/v1/users',
  operationId: 'listUsers',
  summary: 'List the users',
  description: "An admin's: all of the organisation; a user's: the own record.",
  access: 'read',
  tag: 'users',
  query: IN_ORGANISATION,
  response: { description: 'Users.', schema: z.object({ users: z.array(USER) }) },
  handle: async ({ query }, { gateway, principal }) => ({
    users: await directoryOf(gateway).users.list(principal, query as never),
  }),
});
