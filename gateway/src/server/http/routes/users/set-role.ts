import { z } from 'zod';
import { directoryOf } from '../../require-directory.ts';
import { route } from '../../route.ts';
import { ID, IN_ORGANISATION, ROLE } from '../record-schemas.ts';

export const setRole = route({
  method: 'put',
  path: '/api/v1/roles/{name}',
  operationId: 'setRole',
  summary: 'Create a role or replace its permissions',
  description:
    'With `before`, nothing is saved when somebody else changed, removed or made the role meanwhile.',
  access: 'dangerous',
  tag: 'users',
  params: z.object({ name: ID }),
  body: IN_ORGANISATION.extend({
    permissions: z.array(z.string()),
    before: z
      .array(z.string())
      .nullable()
      .optional()
      .describe(
        'What it held when it was read, null: there was none. It holds other permissions: record_conflict.',
      ),
  }),
  response: { description: 'The role.', schema: ROLE },
  handle: async ({ params, body }, { gateway, principal }) =>
    directoryOf(gateway).roles.set(principal, { ...body, name: params.name } as never),
});
