import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { IN_ORGANISATION, ROLE } from '../record-schemas.ts';

export const listRoles = route({
  method: 'get',
  path: '/api/v1/roles',
  operationId: 'listRoles',
  summary: 'List the roles',
  access: 'read',
  tag: 'users',
  query: IN_ORGANISATION,
  response: { description: 'Roles with their permissions.', schema: z.object({ roles: z.array(ROLE) }) },
  handle: async ({ query }, { gateway, principal }) => ({
    roles: await directoryOf(gateway).roles.list(principal, query as never),
  }),
});
