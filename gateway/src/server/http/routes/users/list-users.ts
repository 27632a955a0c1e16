import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { PAGE, pageOf } from '../page-of.ts';
import { IN_ORGANISATION, USER } from '../record-schemas.ts';

export const listUsers = route({
  method: 'get',
  path: '/api/v1/users',
  operationId: 'listUsers',
  summary: 'List the users',
  description:
    "An admin's: all of the organisation; a user's: the own record. By id; with `limit` a page, which `next` continues.",
  access: 'read',
  tag: 'users',
  query: IN_ORGANISATION.extend(PAGE),
  response: {
    description: 'Users.',
    schema: z.object({ users: z.array(USER), next: z.string().optional() }),
  },
  handle: async ({ query: { after, limit, ...query } }, { gateway, principal }) => {
    const users = await directoryOf(gateway).users.list(principal, query);
    const { page, next } = pageOf(users, { after, limit });
    return { users: page, ...next };
  },
});
