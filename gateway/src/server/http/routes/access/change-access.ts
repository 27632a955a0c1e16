import { z } from 'zod';
import { route } from '../../route.ts';
import { ACCESS_CHANGES, accessOf } from './access-schemas.ts';

export const changeAccess = route({
  method: 'post',
  path: '/api/v1/access/changes',
  operationId: 'changeAccess',
  summary: 'Save several changes of access at once, all or none',
  description:
    'Levels, roles and status of users, features of the organisation. With `version`, nothing is saved when somebody else changed them meanwhile. In force at the next call everywhere.',
  access: 'dangerous',
  tag: 'access',
  body: ACCESS_CHANGES,
  response: {
    description: 'Saved.',
    schema: z.object({ version: z.string().describe('Of what is there now.') }),
  },
  handle: ({ body }, { gateway, principal }) => accessOf(gateway).save(principal, body as never),
});
