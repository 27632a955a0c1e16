import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, IN_ORGANISATION, ROLE } from '../record-schemas.ts';

export const setRole = route({
  method: 'put',
  path: '/api/v1/roles/{name}',
  operationId: 'setRole',
  summary: 'Create a role or replace its permissions',
  access: 'dangerous',
  tag: 'users',
  params: z.object({ name: ID }),
  body: IN_ORGANISATION.extend({ permissions: z.array(z.string()) }),
  response: { description: 'The role.', schema: ROLE },
  handle: async ({ params, body }, { gateway, principal }) =>
    directoryOf(gateway).roles.set(principal, { ...body, name: params.name } as never),
});
